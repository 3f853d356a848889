# Files that are written for one kind of CPU get that kind's flags; everything else runs on any
# x86-64, and the program chooses at run time. On other processors those files are empty.
# -fno-builtin: compilers otherwise turn loops over a row in registers into calls of memcpy.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  target_compile_definitions(yomi_objects PRIVATE YOMI_X86)
  set_source_files_properties(src/eval/playout/slice/avx2.c PROPERTIES COMPILE_OPTIONS
    "-march=x86-64-v3;-fno-builtin")
  set_source_files_properties(src/eval/playout/slice/avx512.c PROPERTIES COMPILE_OPTIONS
    "-march=x86-64-v4;-mprefer-vector-width=512;-fno-builtin")
  set_source_files_properties(src/eval/shogi/kernel_avx2.c PROPERTIES COMPILE_OPTIONS
    "-march=x86-64-v3")
  set_source_files_properties(src/eval/shogi/kernel_avx512.c PROPERTIES COMPILE_OPTIONS
    "-march=x86-64-v4;-mavx512vnni;-mprefer-vector-width=512")
  set_source_files_properties(src/learn/network/slope_avx2.c PROPERTIES COMPILE_OPTIONS
    "-march=x86-64-v3")
  set_source_files_properties(src/eval/net/cpu/kernels_avx2.c PROPERTIES COMPILE_OPTIONS
    "-march=x86-64-v3;-ffp-contract=off")
  set_source_files_properties(src/eval/net/cpu/kernels_avx512.c PROPERTIES COMPILE_OPTIONS
    "-march=x86-64-v4;-mprefer-vector-width=512;-ffp-contract=off")
  set_source_files_properties(src/eval/net/cpu/kernels_vnni.c PROPERTIES COMPILE_OPTIONS
    "-march=x86-64-v4;-mavx512vnni;-mprefer-vector-width=512;-ffp-contract=off")
  set_source_files_properties(src/eval/net/cpu/kernels_amx.c PROPERTIES COMPILE_OPTIONS
    "-march=x86-64-v4;-mavx512vnni;-mamx-tile;-mamx-int8;-mprefer-vector-width=512;-ffp-contract=off")
endif()
# Networks give the same numbers on every processor: multiply-adds are fused where the source says so.
set_source_files_properties(src/eval/net/cpu/kernels_plain.c PROPERTIES COMPILE_OPTIONS
  "-ffp-contract=off")
