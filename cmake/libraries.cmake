# Libraries. jansson (JSON) and zlib (packed network files) are required; the others are looked for
# and may be missing.
# What is found is in yomi_libraries, for linking, and in yomi_pc_requires, for programs that link
# libyomi.a; `yomi version` names it.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON IMPORTED_TARGET jansson>=2.13)
if(NOT JANSSON_FOUND)
  message(FATAL_ERROR "jansson 2.13 or later was not found (Debian: apt-get install libjansson-dev)")
endif()
pkg_check_modules(ZLIB IMPORTED_TARGET zlib>=1.2)
if(NOT ZLIB_FOUND)
  message(FATAL_ERROR "zlib was not found (Debian: apt-get install zlib1g-dev)")
endif()
set(yomi_libraries PkgConfig::JANSSON PkgConfig::ZLIB)
set(yomi_pc_requires "jansson >= 2.13, zlib >= 1.2")
set(yomi_library_summary "jansson ${JANSSON_VERSION}, zlib ${ZLIB_VERSION}")

# yomi_optional_library(OPTION MODULE PACKAGE PURPOSE): the option is AUTO, ON or OFF; where the
# library is used, OPTION is defined for the compiler.
macro(yomi_optional_library option module package purpose)
  set(${option} AUTO CACHE STRING "${purpose}: AUTO (if ${module} is found), ON or OFF")
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "${option} is ${${option}}; it takes AUTO, ON or OFF")
  elseif(NOT ${option} STREQUAL "OFF")
    pkg_check_modules(${option}_LIB QUIET IMPORTED_TARGET ${module})
    if(${option}_LIB_FOUND)
      add_compile_definitions(${option})
      list(APPEND yomi_libraries PkgConfig::${option}_LIB)
      string(APPEND yomi_pc_requires ", ${module}")
      string(APPEND yomi_library_summary ", ${module} ${${option}_LIB_VERSION}")
    elseif(${option} STREQUAL "ON")
      message(FATAL_ERROR "${option} is ON, but ${module} was not found (Debian: ${package})")
    endif()
  endif()
endmacro()

yomi_optional_library(YOMI_PNG libpng libpng-dev "PNG pictures")
yomi_optional_library(YOMI_NATS libnats libnats-dev "clusters over NATS")
