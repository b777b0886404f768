#include "run/object_names.hpp"

#include <cstring>

namespace unravel {

using wire::Naming;
using wire::ObjectKind;
using wire::Operation;

namespace {

Naming naming(Operation operation) { return wire::traits(wire::traits(operation).object).naming; }

bool is_memory(Operation operation) {
  return wire::traits(operation).object == ObjectKind::kMemory;
}

}  // namespace

bool acts_on_thread(Operation operation) { return naming(operation) == Naming::kThread; }

void ObjectNames::record(Operation operation, std::uint64_t object, const VariableName& name) {
  if (is_memory(operation)) {
    memory_.record(object, name);
  } else if (acts_on_memory(operation)) {
    locks_.record(object, without_reserved(name));
  }
}

bool acts_on_memory(Operation operation) { return naming(operation) == Naming::kVariable; }

std::string ObjectNames::name(Operation operation, std::uint64_t object) {
  const auto named = naming(operation);
  if (named == Naming::kThread) return "T" + std::to_string(object);
  if (named == Naming::kDescriptor) return "fd " + std::to_string(object);
  if (named == Naming::kNone || object == 0) return {};
  if (named == Naming::kSignal) {
    const char* abbreviation = sigabbrev_np(static_cast<int>(object));
    return abbreviation ? std::string("SIG") + abbreviation : "signal " + std::to_string(object);
  }
  const std::string own = is_memory(operation) ? memory_.name(object) : locks_.name(object);
  if (!own.empty()) return own;
  const std::string_view what = wire::noun(operation);
  const auto [found, is_new] = numbers_.try_emplace({what, object}, 0);
  if (is_new) found->second = ++last_[what];
  return std::string(what) + " " + std::to_string(found->second);
}

}  // namespace unravel
