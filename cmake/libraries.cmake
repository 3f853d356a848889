# Libraries. jansson (JSON) and zlib (packed network files) are required; the others are looked for and
# may be missing.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON IMPORTED_TARGET jansson>=2.11)
if(NOT JANSSON_FOUND)
  message(FATAL_ERROR "jansson 2.11 or later was not found (Debian: apt-get install libjansson-dev)")
endif()
pkg_check_modules(ZLIB IMPORTED_TARGET zlib>=1.2)
if(NOT ZLIB_FOUND)
  message(FATAL_ERROR "zlib was not found (Debian: apt-get install zlib1g-dev)")
endif()
set(yomi_libraries PkgConfig::JANSSON PkgConfig::ZLIB)
set(yomi_pc_requires "jansson >= 2.11, zlib >= 1.2") # for programs that link libyomi.a
