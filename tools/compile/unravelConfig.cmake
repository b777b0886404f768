# find_package(unravel) gives the target unravel::hooks: what links to it is compiled with hooks at
# memory accesses, function entries and loops, and linked with the library that answers them.
get_filename_component(unravel_lib "${CMAKE_CURRENT_LIST_DIR}/../../unravel" ABSOLUTE)
get_filename_component(unravel_include "${CMAKE_CURRENT_LIST_DIR}/../../../include" ABSOLUTE)
if(NOT TARGET unravel::hooks)
  add_library(unravel::hooks INTERFACE IMPORTED)
  set(unravel_options -fsanitize=thread)
  set(unravel_blocks -fsanitize-coverage=trace-pc)
  if(CMAKE_C_COMPILER_ID MATCHES Clang OR CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(APPEND unravel_options -fno-sanitize-link-runtime)
    set(unravel_blocks -fsanitize-coverage=trace-pc-guard)
    target_link_libraries(unravel::hooks INTERFACE "${unravel_lib}/libunravel-rt.so")
  endif()
  target_include_directories(unravel::hooks INTERFACE "${unravel_include}")
  target_compile_options(unravel::hooks INTERFACE ${unravel_options} ${unravel_blocks} -g)
  target_link_options(unravel::hooks INTERFACE
    ${unravel_options} "-L${unravel_lib}/link" "-L${unravel_lib}" "-Wl,-rpath,${unravel_lib}")
endif()
