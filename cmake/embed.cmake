# yomi_embed(SOURCE FILE NAME): a C source made at build time that holds a file's bytes as NAME and
# their number as NAME_size. Called as a script, it writes that source.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${INPUT} bytes HEX)
  string(LENGTH "${bytes}" size)
  math(EXPR size "${size} / 2")
  # A line for 32 bytes, so that no tool meets a line of megabytes.
  string(REPEAT "[0-9a-f]" 64 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(WRITE ${OUTPUT} "#include <stddef.h>\n\nextern const unsigned char ${NAME}[];\n"
    "extern const size_t ${NAME}_size;\n\nconst size_t ${NAME}_size = ${size};\n"
    "const unsigned char ${NAME}[] = {\n${bytes}};\n")
  return()
endif()

set(yomi_embed_script ${CMAKE_CURRENT_LIST_FILE})
function(yomi_embed source file name)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${source} -DNAME=${name}
            -P ${yomi_embed_script}
    DEPENDS ${file} ${yomi_embed_script}
    COMMENT "Embedding ${file}"
    VERBATIM)
endfunction()
