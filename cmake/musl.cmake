# Builds with musl on Debian, with the libraries that tools/musl makes:
#   tools/musl && cmake --preset musl
# Libraries of the usual C library must not be found, nor a C++ compiler, which has none for musl.
set(CMAKE_C_COMPILER musl-gcc)
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_CURRENT_LIST_DIR}/../build/musl-libs/lib/pkgconfig)
set(YOMI_WEB OFF CACHE STRING "")
set(YOMI_CUDA OFF CACHE STRING "")
set(YOMI_HW OFF CACHE STRING "")
