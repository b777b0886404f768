# Three sets of flags: warnings, for everything we compile; sanitizers and coverage, for everything
# but the injected runtime. It answers the same hooks as a sanitizer does.

add_library(unravel_warnings INTERFACE)
target_compile_options(unravel_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow
  # A field that a designated initialiser leaves out has its default value on purpose.
  -Wno-missing-field-initializers
  # -Wconversion implies it for clang only; without this the two compilers disagree.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
  # Warns falsely on "literal" + std::string (GCC bug 105651, fixed in 13).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # The same bug, in the standard library, which GCC takes for our code when it is precompiled.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${UNRAVEL_PRECOMPILE_ROOMS}>>:-Wno-array-bounds>
  $<$<BOOL:${UNRAVEL_WERROR}>:-Werror>)

add_library(unravel_sanitizers INTERFACE)
if(UNRAVEL_SANITIZE)
  target_compile_options(unravel_sanitizers INTERFACE
    -fsanitize=${UNRAVEL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(unravel_sanitizers INTERFACE -fsanitize=${UNRAVEL_SANITIZE})
endif()

# Not for the injected runtime, either: it has no C library of its own to write the counts with.
add_library(unravel_coverage INTERFACE)
if(UNRAVEL_COVERAGE)
  target_compile_options(unravel_coverage INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(unravel_coverage INTERFACE --coverage)
endif()

add_library(unravel_flags INTERFACE)
target_link_libraries(unravel_flags INTERFACE unravel_warnings unravel_sanitizers unravel_coverage)
