# The runtime is built twice from the same files: its pure core as a library for unit
# tests, with sanitizers if asked for, and the whole as the library that is injected into
# the program, which needs the C library and nothing more.

set(UNRAVEL_RUNTIME_FLAGS
  -fno-exceptions -fno-rtti -fno-threadsafe-statics -fvisibility=hidden)

function(unravel_runtime_core)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/runtime/core/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/runtime/core/*.hpp)
  if(NOT sources AND NOT headers)
    return()
  endif()
  if(NOT sources)
    add_library(unravel_runtime_core INTERFACE)
    target_include_directories(unravel_runtime_core INTERFACE ${CMAKE_SOURCE_DIR}/src)
    return()
  endif()
  # For tests only, so that whoever builds the tool does not compile these files twice.
  add_library(unravel_runtime_core STATIC EXCLUDE_FROM_ALL ${sources})
  set_target_properties(unravel_runtime_core PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(unravel_runtime_core PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_compile_options(unravel_runtime_core PRIVATE ${UNRAVEL_RUNTIME_FLAGS})
  target_link_libraries(unravel_runtime_core PRIVATE unravel_flags)
endfunction()

# The program finds our mem*, str* and malloc in libc's place; the runtime must not. The linker
# sends what it calls by these names, and what compilers call when they copy a struct, to the plain
# ones of os/plain_strings.cpp. There are none for malloc and its kin: it must not call them at all.
function(unravel_wrapped_functions options)
  set(folder ${CMAKE_SOURCE_DIR}/src/runtime)
  set(strings ${folder}/os/string_functions.inc)
  set(allocation ${folder}/interpose/allocation.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${strings} ${allocation})
  file(STRINGS ${strings} lines REGEX "^UNRAVEL_STRING")
  file(STRINGS ${allocation} more REGEX "^ALLOCATION")
  set(wrapped)
  foreach(line IN LISTS lines more)
    string(REGEX REPLACE "^[^,]*, ([a-z_]+),.*" "\\1" name "${line}")
    list(APPEND wrapped -Wl,--wrap=${name})
  endforeach()
  set(${options} ${wrapped} PARENT_SCOPE)
endfunction()

function(unravel_runtime_library)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/src/runtime/*.cpp ${CMAKE_SOURCE_DIR}/src/runtime/*.S)
  if(NOT sources)
    return()
  endif()
  add_library(unravel_runtime_objects OBJECT ${sources})
  set_target_properties(unravel_runtime_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(unravel_runtime_objects PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(unravel_runtime_objects PRIVATE unravel_warnings)
  target_compile_options(unravel_runtime_objects PRIVATE
    -O2 -g -fPIC -ftls-model=initial-exec
    $<$<COMPILE_LANGUAGE:CXX>:${UNRAVEL_RUNTIME_FLAGS} -fno-semantic-interposition>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wglobal-constructors>)

  set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/runtime/os/plain_strings.cpp APPEND PROPERTY
    COMPILE_OPTIONS
    -fno-builtin $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)
  unravel_wrapped_functions(wrapped)

  # Once under its own name, and once under that of GCC's ThreadSanitizer library, for programs
  # that were built for that one: the loader takes it for what they ask for.
  foreach(variant unravel_runtime unravel_runtime_tsan)
    add_library(${variant} SHARED $<TARGET_OBJECTS:unravel_runtime_objects>)
    set(folder lib/unravel)
    if(variant STREQUAL "unravel_runtime_tsan")
      set(folder lib/unravel/tsan)
      set_target_properties(${variant} PROPERTIES NO_SONAME ON)
      target_link_options(${variant} PRIVATE -Wl,-soname,libtsan.so.2)
    endif()
    set_target_properties(${variant} PROPERTIES
      OUTPUT_NAME unravel-rt
      LINKER_LANGUAGE CXX
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
    target_link_options(${variant} PRIVATE
      -nodefaultlibs -Wl,-z,defs -Wl,-z,now -Wl,-z,initfirst -Wl,--as-needed ${wrapped})
    target_link_libraries(${variant} PRIVATE -lc -lgcc)
    install(TARGETS ${variant} LIBRARY DESTINATION ${folder})
  endforeach()
endfunction()
