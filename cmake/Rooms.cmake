# What most rooms read, compiled once. For three files of the driver, by GCC 12 at -O2, this saves 43 % of the
# processor time.
if(UNRAVEL_PRECOMPILE_ROOMS)
  file(WRITE ${CMAKE_BINARY_DIR}/headers.cpp "")
  add_library(unravel_headers OBJECT ${CMAKE_BINARY_DIR}/headers.cpp)
  target_link_libraries(unravel_headers PRIVATE unravel_flags)
  target_precompile_headers(unravel_headers PRIVATE
    <algorithm> <chrono> <filesystem> <functional> <map> <memory> <mutex> <optional> <set> <span> <string>
    <thread> <unordered_map> <unordered_set> <vector> <tl/expected.hpp>)
endif()

# A room is a folder src/<name> and a library unravel_<name>.
#
#   unravel_room(NAME store DEPS base data LIBS SQLiteCpp)
#
# DEPS are the rooms it may know, as in tools/check_layers.py; LIBS are libraries from
# outside. A room without .cpp files is header only; one without any file is left out
# until its first file appears. main.cpp belongs to no room.
function(unravel_room)
  cmake_parse_arguments(ROOM "" "NAME" "DEPS;LIBS" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/src/${ROOM_NAME})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.hpp)
  list(REMOVE_ITEM sources ${folder}/main.cpp)
  if(NOT sources AND NOT headers)
    return()
  endif()

  set(target unravel_${ROOM_NAME})
  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE unravel_flags)
    if(TARGET unravel_headers)
      target_precompile_headers(${target} REUSE_FROM unravel_headers)
    endif()
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM ROOM_DEPS REPLACE "(.+)" "$<TARGET_NAME_IF_EXISTS:unravel_\\1>")
  target_link_libraries(${target} ${scope} ${ROOM_DEPS} ${ROOM_LIBS})
endfunction()
