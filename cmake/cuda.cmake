# The kernels for NVIDIA GPUs: nvcc compiles one file for each policy and board size, and they become data of
# the library, which hands them to the driver if there is one when it runs. So nothing is linked to
# CUDA, and what is built here runs where there is none. Looked for and never required.
set(yomi_cuda_summary "off")
set(yomi_cuda FALSE)
set(YOMI_CUDA_ARCHITECTURES "80;90" CACHE STRING
    "Compute capabilities to compile for; other GPUs, from 7.5 on, compile a kernel at its first use")
if(NOT YOMI_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "YOMI_CUDA is ${YOMI_CUDA}; it takes AUTO, ON or OFF")
elseif(YOMI_CUDA STREQUAL "AUTO" AND (YOMI_SANITIZE OR YOMI_FUZZ OR CMAKE_C_FLAGS MATCHES "-fsanitize"))
  set(yomi_cuda_summary "off (sanitizers are for the host's code; YOMI_CUDA=ON has it all the same)")
elseif(YOMI_CUDA STREQUAL "AUTO" AND NOT EXISTS /dev/nvidiactl AND NOT EXISTS /dev/nvidia0
       AND NOT EXISTS /dev/dxg)
  # Some minutes of compiling that nothing here could run.
  set(yomi_cuda_summary "off (no NVIDIA GPU here; YOMI_CUDA=ON builds the kernels all the same)")
elseif(NOT YOMI_CUDA STREQUAL "OFF")
  find_program(YOMI_NVCC nvcc PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin
               DOC "NVIDIA's compiler, for the backend cuda")
  set(yomi_cuda_summary "not found")
  if(YOMI_NVCC)
    # It needs a C++ compiler that it knows, and must know our architectures: try.
    set(yomi_nvcc_ptx ${YOMI_NVCC} -std=c++17 -O3 -fatbin -I${CMAKE_SOURCE_DIR}/include
                      -I${CMAKE_SOURCE_DIR}/src)
    set(yomi_nvcc ${yomi_nvcc_ptx})
    # One intermediate form for all, so that the slower half of the compiler runs once.
    list(TRANSFORM YOMI_CUDA_ARCHITECTURES PREPEND sm_ OUTPUT_VARIABLE codes)
    list(JOIN codes "," codes)
    list(APPEND yomi_nvcc -gencode "arch=compute_75,code=[${codes},compute_75]")
    list(APPEND yomi_nvcc_ptx -gencode "arch=compute_75,code=compute_75")
    set(try ${CMAKE_BINARY_DIR}/cuda/try.cu)
    file(CONFIGURE OUTPUT ${try} CONTENT "__global__ void nothing() {}\n")
    execute_process(COMMAND ${yomi_nvcc} ${try} -o ${try}.fatbin RESULT_VARIABLE failed
                    OUTPUT_VARIABLE said ERROR_VARIABLE said)
    execute_process(COMMAND ${YOMI_NVCC} --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(NOT failed AND version MATCHES "release ([0-9]+)\\.([0-9]+)")
      set(yomi_cuda TRUE)
      math(EXPR yomi_cuda_version "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2} * 10")
      set(yomi_cuda_summary "${YOMI_NVCC} ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}")
    else()
      set(yomi_cuda_summary "${YOMI_NVCC} does not work")
      message(STATUS "nvcc does not work: ${said}")
    endif()
  endif()
  if(YOMI_CUDA STREQUAL "ON" AND NOT yomi_cuda)
    message(FATAL_ERROR "YOMI_CUDA is ON, but CUDA: ${yomi_cuda_summary}")
  endif()
endif()

if(yomi_cuda)
  enable_language(ASM)
endif()

# Adds the kernels to the library's objects.
function(yomi_add_cuda target)
  if(NOT yomi_cuda)
    return()
  endif()
  set(list "")
  set(data "")
  set(kernels "")
  yomi_glob(sources src/eval/playout/cuda/*.cuh src/eval/playout/cuda/job.h
       src/eval/playout/cuda/start.h)
  foreach(policy light mogo) # in the order of enum yo_playout_policy
    foreach(size RANGE 2 19)
      # MoGo's kernels are long, and of the sizes that few people play them on they are left to the
      # driver to compile when they are first used.
      set(nvcc ${yomi_nvcc})
      if(policy STREQUAL mogo AND NOT size MATCHES "^(9|13|19)$")
        set(nvcc ${yomi_nvcc_ptx})
      endif()
      set(kernel ${CMAKE_BINARY_DIR}/cuda/${policy}_${size}.fatbin)
      add_custom_command(
        OUTPUT ${kernel}
        COMMAND ${nvcc} -DYOMI_SIZE=${size} src/eval/playout/cuda/${policy}.cu -o ${kernel}
        DEPENDS src/eval/playout/cuda/${policy}.cu ${sources} src/eval/playout/spec.h
        WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
        COMMENT "Compiling the ${size}x${size} kernels (${policy})"
        VERBATIM)
      list(APPEND kernels ${kernel})
      string(APPEND list "    .quad .L${policy}${size}\n")
      string(APPEND data "    .balign 16\n.L${policy}${size}:\n    .incbin \"${kernel}\"\n")
    endforeach()
  endforeach()
  # Networks: the kernels for single operations, then the fused ones, in the order of
  # YO_TOWER_KERNELS: channels, tiles, warpgroups, slices. Those are for Hopper alone, which CUDA 12 knows.
  set(net_list "")
  set(net_folder src/eval/net/cuda)
  yomi_glob(net_sources ${net_folder}/*.cuh ${net_folder}/*job.h)
  set(net_nvcc ${YOMI_NVCC} -std=c++17 -O3 -fatbin -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM YOMI_CUDA_ARCHITECTURES PREPEND sm_ OUTPUT_VARIABLE codes)
  list(JOIN codes "," codes)
  foreach(kernel layers tower:64:6:2:4 tower:96:6:2:2 tower:96:6:3:2
          tower:128:6:2:1 tower:128:2:2:4 tower:192:3:3:2)
    string(REPLACE ":" ";" words ${kernel})
    list(GET words 0 source)
    set(flags -gencode "arch=compute_75,code=[sm_75,compute_75]"
              -gencode "arch=compute_80,code=[${codes},compute_80]")
    set(label netlayers)
    if(source STREQUAL tower)
      list(GET words 1 channels)
      list(GET words 2 tiles)
      list(GET words 3 warpgroups)
      list(GET words 4 slices)
      set(flags -gencode arch=compute_90a,code=sm_90a -DYOMI_CHANNELS=${channels} -DYOMI_TILES=${tiles}
                -DYOMI_WARPGROUPS=${warpgroups} -DYOMI_SLICES=${slices})
      set(label nettower${channels}_${tiles}_${warpgroups})
      if(yomi_cuda_version LESS 12000)
        string(APPEND net_list "    .quad 0\n")
        continue()
      endif()
    endif()
    set(image ${CMAKE_BINARY_DIR}/cuda/${label}.fatbin)
    add_custom_command(
      OUTPUT ${image}
      COMMAND ${net_nvcc} ${flags} ${net_folder}/${source}.cu -o ${image}
      DEPENDS ${net_folder}/${source}.cu ${net_sources} src/eval/net/graph.h
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
      COMMENT "Compiling the network kernels (${label})"
      VERBATIM)
    list(APPEND kernels ${image})
    string(APPEND net_list "    .quad .L${label}\n")
    string(APPEND data "    .balign 16\n.L${label}:\n    .incbin \"${image}\"\n")
  endforeach()
  # .data.rel.ro: the table holds addresses, which a shared library gets only when it is loaded.
  set(images ${CMAKE_BINARY_DIR}/cuda/images.S)
  file(CONFIGURE OUTPUT ${images} CONTENT
       "    .section .data.rel.ro, \"aw\"
    .globl yo_cuda_images
    .hidden yo_cuda_images
    .balign 8
yo_cuda_images:
${list}
    .globl yo_net_cuda_images
    .hidden yo_net_cuda_images
    .balign 8
yo_net_cuda_images:
${net_list}
    .section .rodata
${data}
    .section .note.GNU-stack, \"\", %progbits
")
  target_sources(${target} PRIVATE ${images})
  set_source_files_properties(${images} PROPERTIES OBJECT_DEPENDS "${kernels}")
  set_source_files_properties(src/eval/playout/cuda/driver.c PROPERTIES COMPILE_DEFINITIONS
                              YOMI_CUDA_VERSION=${yomi_cuda_version})
endfunction()
