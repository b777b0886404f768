# Builds a whole project for unravel:
#
#   cmake -B build-unravel --toolchain <prefix>/lib/cmake/unravel/toolchain.cmake
#
# The compiler is the one that $UNRAVEL_CC and $UNRAVEL_CXX name, or cc and c++.
get_filename_component(unravel_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
set(CMAKE_C_COMPILER "${unravel_bin}/unravel-cc")
set(CMAKE_CXX_COMPILER "${unravel_bin}/unravel-c++")
