# Cross-compiles for arm64 on Debian, and runs the result under qemu:
#   cmake -S . -B build/arm64 -G Ninja --toolchain cmake/arm64.cmake
# Needs gcc-aarch64-linux-gnu, qemu-user-static, and with `dpkg --add-architecture arm64` the libraries:
# libjansson-dev:arm64 zlib1g-dev:arm64 libcmocka-dev:arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Libraries of the machine that builds must not be found.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
set(YOMI_WEB OFF CACHE STRING "")
set(YOMI_NATS OFF CACHE STRING "")
set(YOMI_CUDA OFF CACHE STRING "")
set(YOMI_HW OFF CACHE STRING "")
