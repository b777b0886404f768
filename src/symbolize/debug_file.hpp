#pragma once

#include <elfutils/libdwfl.h>

namespace unravel {

/// A `find_debuginfo` callback for libdwfl that finds the separate debug file of a module in the
/// default places, on this machine only. libdwfl's own callback also asks the servers in
/// DEBUGINFOD_URLS, which can take minutes.
int find_debug_file(Dwfl_Module* module, void** user, const char* name, Dwarf_Addr base,
                    const char* file, const char* debug_link, GElf_Word debug_link_crc,
                    char** found);

}  // namespace unravel
