# Run at build time by page.cmake: builds web/ by npm in WORK and writes SOURCE, the table of its
# files, each packed by gzip. Where the packages cannot be had (no network), the table is empty,
# unless REQUIRED is ON.
set(out ${WORK}/out)
set(copy ${WORK}/web)
file(REMOVE_RECURSE ${out})
file(MAKE_DIRECTORY ${out} ${WORK}/packed)

function(run_npm)
  execute_process(COMMAND ${NPM} ${ARGN} WORKING_DIRECTORY ${copy} RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REPLACE ";" " " words "${ARGN}")
  if(result EQUAL 0)
    return()
  elseif(REQUIRED STREQUAL "ON")
    message(FATAL_ERROR "npm ${words} failed:\n${output}")
  endif()
  message(WARNING "the page is left out, because npm ${words} failed:\n${output}")
  set(BUILDS no PARENT_SCOPE)
endfunction()

# A copy, so that builds in several folders do not meet in web/node_modules.
if(BUILDS)
  file(COPY ${WEB}/ DESTINATION ${copy} PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE)
  file(COPY ${WEB}/../LICENSE DESTINATION ${WORK})
  if(NOT EXISTS ${copy}/node_modules OR ${copy}/package-lock.json IS_NEWER_THAN ${WORK}/installed)
    run_npm(ci --no-audit --no-fund)
    if(BUILDS)
      file(TOUCH ${WORK}/installed)
    endif()
  endif()
endif()
if(BUILDS)
  run_npm(run build -- --outdir ${out})
endif()

set(table "")
set(data "")
if(BUILDS)
  # No glob: the folder's name may hold characters that mean something in a pattern.
  execute_process(COMMAND find . -type f WORKING_DIRECTORY ${out} OUTPUT_VARIABLE files
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "(^|\n)\\./" "\\1" files "${files}")
  string(REPLACE "\n" ";" files "${files}")
  list(SORT files)
  set(i 0)
  foreach(file ${files})
    set(packed ${WORK}/packed/${i}.gz)
    execute_process(COMMAND gzip -9 -n -c ${out}/${file} OUTPUT_FILE ${packed} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "gzip failed for ${file}")
    endif()
    string(APPEND data
           "__asm__(\".section .rodata\\n.globl yo_page_${i}\\nyo_page_${i}:\\n.incbin \\\"${packed}\\\"\\n\"\n"
           "        \".globl yo_page_${i}_end\\nyo_page_${i}_end:\\n.byte 0\\n.text\\n\");\n"
           "extern const unsigned char yo_page_${i}[], yo_page_${i}_end[];\n")
    string(APPEND table "    {\"${file}\", yo_page_${i}, yo_page_${i}_end},\n")
    math(EXPR i "${i} + 1")
  endforeach()
endif()
file(WRITE ${SOURCE} "#include \"cmd/web/page.h\"\n\n${data}const struct yo_page_file yo_page_files[] = {\n${table}    {0},\n};\n")
