# What users build their programs with: compiler drivers, a header, a toolchain file and a package for CMake.
# In the build tree as in the installed one: bin/, include/unravel/, lib/unravel/, lib/cmake/unravel/.

set(compile_folder ${CMAKE_SOURCE_DIR}/tools/compile)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin ${CMAKE_BINARY_DIR}/lib/unravel/link)
foreach(name unravel-cc unravel-c++)
  configure_file(${compile_folder}/unravel-cc ${CMAKE_BINARY_DIR}/bin/${name} COPYONLY)
  install(PROGRAMS ${compile_folder}/unravel-cc DESTINATION bin RENAME ${name})
endforeach()

configure_file(${CMAKE_SOURCE_DIR}/include/unravel/atomic.h ${CMAKE_BINARY_DIR}/include/unravel/atomic.h COPYONLY)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/unravel DESTINATION include)

# Where GCC looks for -ltsan.
file(CREATE_LINK ../libunravel-rt.so ${CMAKE_BINARY_DIR}/lib/unravel/link/libtsan.so SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/lib/unravel/link/libtsan.so DESTINATION lib/unravel/link)

foreach(name unravelConfig.cmake toolchain.cmake)
  configure_file(${compile_folder}/${name} ${CMAKE_BINARY_DIR}/lib/cmake/unravel/${name} COPYONLY)
  install(FILES ${compile_folder}/${name} DESTINATION lib/cmake/unravel)
endforeach()
