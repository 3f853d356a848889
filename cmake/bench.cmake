# Small programs behind figures in docs/: one for each bench/*.c, built only when asked for
# (--target bench_NAME).
yomi_glob(bench_sources bench/*.c)
foreach(source ${bench_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(bench_${name} PRIVATE yomi_static)
  if(name MATCHES "hw")
    yomi_add_hw(bench_${name})
  endif()
endforeach()

# What learns the tables that are part of the program: one for each train/*.c; a test runs it.
yomi_glob(train_sources train/*.c)
foreach(source ${train_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE yomi_static)
endforeach()
