# Small programs behind figures in docs/: built by name (ninja rng_stream), never by default.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.c)
foreach(source ${bench_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE yomi_static)
endforeach()
