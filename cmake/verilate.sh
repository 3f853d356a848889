#!/bin/sh
# verilate.sh FOLDER VERILATOR ARGUMENT...: runs Verilator, whose make cannot build in a folder with a space
# in its name, in a temporary one, and puts the library and its headers into FOLDER.
set -eu
folder=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$@" --Mdir "$work"
mkdir -p "$folder"
cp "$work"/*.a "$work"/*.h "$folder"
