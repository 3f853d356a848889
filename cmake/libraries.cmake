# Libraries. jansson (JSON) is the one that is required; the others are looked for and may be missing.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON IMPORTED_TARGET jansson>=2.11)
if(NOT JANSSON_FOUND)
  message(FATAL_ERROR "jansson 2.11 or later was not found (Debian: apt-get install libjansson-dev)")
endif()
set(yomi_libraries PkgConfig::JANSSON)
set(yomi_pc_requires "jansson >= 2.11") # for programs that link libyomi.a
