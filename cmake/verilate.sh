#!/bin/sh
# verilate.sh FOLDER SOURCES VERILATOR ARGUMENT...: runs Verilator on the modules in the folder SOURCES and puts
# the library and its headers into FOLDER. Its make cannot build in a folder with a space in its name, and it
# takes a dollar sign in a name for a variable: it builds in a temporary folder, and gets names without one.
set -eu
folder=$1 sources=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$sources"
"$@" --Mdir "$work" ./*.sv
mkdir -p "$folder"
cp "$work"/*.a "$work"/*.h "$folder"
