/// Names of functions as users write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unravel {

/// A demangled name without its parameters and, of a template, without the type that it returns:
/// `Account::deposit` of `Account::deposit(int) const`.
std::string_view bare_name(std::string_view demangled);

/// All names that a symbol of a function goes by: the symbol itself; its name in the source, with
/// parameters and without. What a compiler adds to the symbol of a copy is left out: `add` is also
/// the name of `add.constprop.0`.
std::vector<std::string> names_of_symbol(std::string_view symbol);

}  // namespace unravel
