#include "symbolize/function_name.hpp"

#include <algorithm>
#include <cctype>

#include "symbolize/debug_info.hpp"

namespace unravel {

namespace {

bool is_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

/// Behind the bracket that closes the one at `open`; the end if there is none.
std::size_t behind_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    const bool is_arrow = text[at] == '>' && at > 0 && text[at - 1] == '-';
    if (is_arrow) continue;
    if (text[at] == '(' || text[at] == '<' || text[at] == '{') ++depth;
    if (text[at] == ')' || text[at] == '>' || text[at] == '}') --depth;
    if (depth == 0) return at + 1;
  }
  return text.size();
}

/// Behind the name of an operator, where its template arguments or parameters begin.
std::size_t behind_operator(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("()")) return at + 2;
  return std::min(text.find('(', at), text.size());
}

}  // namespace

std::string_view bare_name(std::string_view text) {
  constexpr std::string_view kOperator = "operator";
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char letter = text[at];
    const bool begins_word = at == 0 || !is_of_word(text[at - 1]);
    if (begins_word && text.substr(at).starts_with(kOperator) &&
        (at + kOperator.size() == text.size() || !is_of_word(text[at + kOperator.size()]))) {
      at = behind_operator(text, at + kOperator.size());
    } else if (letter == '<' || letter == '{') {
      at = behind_bracket(text, at);
    } else if (letter == ' ') {
      begin = ++at;  // what came before is the type that it returns
    } else if (letter == '(') {
      const std::size_t end = behind_bracket(text, at);
      const std::string_view rest = text.substr(end);
      // An anonymous namespace, part of a type, or the parameters of a function around it.
      const bool is_part = at == begin || rest.starts_with("::") || rest.starts_with(" const::");
      if (!is_part) return text.substr(begin, at - begin);
      at = rest.starts_with(" const::") ? end + 6 : end;
    } else {
      ++at;
    }
  }
  return text.substr(begin);
}

std::vector<std::string> names_of_symbol(std::string_view symbol) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
    names.push_back(std::move(name));
  };
  add(std::string(symbol));
  const std::string original(symbol.substr(0, symbol.find('.', 1)));
  add(original);
  const std::string in_source = demangled(original.c_str());
  add(in_source);
  if (in_source != original) add(std::string(bare_name(in_source)));
  return names;
}

}  // namespace unravel
