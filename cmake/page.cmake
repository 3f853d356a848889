# `yomi web`: civetweb, and the page. Both may be missing; the command then says what to install.
#   YOMI_WEB    the server: AUTO (if civetweb is found), ON or OFF
#   YOMI_PAGE   the page, built by npm from web/: AUTO (if npm is found), ON or OFF
set(YOMI_WEB AUTO CACHE STRING "The server of yomi web: AUTO (if civetweb is found), ON or OFF")
set(YOMI_PAGE AUTO CACHE STRING "The page of yomi web: AUTO (if npm is found), ON or OFF")
set_property(CACHE YOMI_WEB YOMI_PAGE PROPERTY STRINGS AUTO ON OFF)
foreach(option YOMI_WEB YOMI_PAGE)
  if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "${option} is ${${option}}; it takes AUTO, ON or OFF")
  endif()
endforeach()

# Debian's package has no pkg-config file.
set(yomi_web_summary "none")
set(yomi_server no)
if(NOT YOMI_WEB STREQUAL "OFF")
  find_path(CIVETWEB_INCLUDE civetweb.h)
  find_library(CIVETWEB_LIBRARY civetweb)
  mark_as_advanced(CIVETWEB_INCLUDE CIVETWEB_LIBRARY)
  if(CIVETWEB_INCLUDE AND CIVETWEB_LIBRARY)
    set(yomi_web_summary "civetweb")
    set(yomi_server yes)
  elseif(YOMI_WEB STREQUAL "ON")
    message(FATAL_ERROR "YOMI_WEB is ON, but civetweb was not found (Debian: libcivetweb-dev)")
  endif()
endif()

find_program(NPM npm)
mark_as_advanced(NPM)
set(yomi_page no)
# Nothing would serve it without the server.
if((yomi_server OR YOMI_PAGE STREQUAL "ON") AND NOT YOMI_PAGE STREQUAL "OFF" AND EXISTS ${CMAKE_SOURCE_DIR}/web/package.json AND NOT YOMI_SANITIZE)
  if(NPM)
    set(yomi_page yes)
    string(APPEND yomi_web_summary ", page")
  elseif(YOMI_PAGE STREQUAL "ON")
    message(FATAL_ERROR "YOMI_PAGE is ON, but npm was not found (Debian: npm)")
  endif()
endif()

# The table of the page's files, made when web/ changes. Without npm it is empty.
function(yomi_add_page target)
  if(yomi_server)
    target_compile_definitions(${target} PRIVATE YOMI_WEB)
    target_include_directories(${target} SYSTEM PRIVATE ${CIVETWEB_INCLUDE})
    target_link_libraries(${target} PRIVATE ${CIVETWEB_LIBRARY})
  endif()
  set(source ${CMAKE_BINARY_DIR}/page/files.c)
  set(page_inputs "")
  if(yomi_page)
    yomi_glob_recurse(page_inputs web/*.ts web/*.tsx web/*.css web/*.html web/*.svg web/*.json
                      web/*.mjs)
    list(FILTER page_inputs EXCLUDE REGEX "/node_modules/|/dist/")
  endif()
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DWEB=${CMAKE_SOURCE_DIR}/web -DWORK=${CMAKE_BINARY_DIR}/page
            -DNPM=${NPM} -DBUILDS=${yomi_page} -DREQUIRED=${YOMI_PAGE} -DSOURCE=${source}
            -P ${CMAKE_SOURCE_DIR}/cmake/page_build.cmake
    DEPENDS ${page_inputs} ${CMAKE_SOURCE_DIR}/cmake/page_build.cmake
    COMMENT "Building the page" VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
