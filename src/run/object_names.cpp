#include "run/object_names.hpp"

#include <cstring>

namespace unravel {
namespace {

using wire::Operation;

std::string_view noun(Operation operation) {
  switch (operation) {
    case Operation::kLock:
    case Operation::kTryLock:
    case Operation::kUnlock: return "mutex";
    case Operation::kWait:
    case Operation::kSignal:
    case Operation::kBroadcast: return "condition";
    case Operation::kReadLock:
    case Operation::kTryReadLock:
    case Operation::kWriteLock:
    case Operation::kTryWriteLock:
    case Operation::kReadWriteUnlock: return "rwlock";
    case Operation::kSemWait:
    case Operation::kSemTryWait:
    case Operation::kSemPost: return "semaphore";
    case Operation::kBarrierWait: return "barrier";
    case Operation::kOnce: return "once";
    case Operation::kSpinLock:
    case Operation::kSpinTryLock:
    case Operation::kSpinUnlock: return "spin lock";
    case Operation::kFutexWait:
    case Operation::kFutexWake:
    case Operation::kFutexRequeue: return "futex";
    case Operation::kCreate:
    case Operation::kJoin:
    case Operation::kTryJoin:
    case Operation::kDetach:
    case Operation::kCancel: return "thread";
    case Operation::kStreamLock:
    case Operation::kStreamTryLock:
    case Operation::kStreamUnlock: return "stream";
    case Operation::kRead:
    case Operation::kWrite:
    case Operation::kAccept:
    case Operation::kConnect:
    case Operation::kPoll:
    case Operation::kFileLock: return "fd";
    case Operation::kSendMessage:
    case Operation::kReceiveMessage: return "queue";
    case Operation::kSemaphoreSet: return "semaphore set";
    case Operation::kSendSignal:
    case Operation::kSignalWait: return "signal";
    case Operation::kLoad:
    case Operation::kStore:
    case Operation::kAtomicLoad:
    case Operation::kAtomicStore:
    case Operation::kAtomicUpdate:
    case Operation::kFree:
    case Operation::kAfterStore: return "memory";
    case Operation::kFence:
    case Operation::kEnter:
    case Operation::kBackEdge:
    case Operation::kAllocate:
    case Operation::kTestCancel:
    case Operation::kPause:
    case Operation::kSpinLoop:
    case Operation::kOpen:
    case Operation::kWaitChild:
    case Operation::kFork:
    case Operation::kNone:
    case Operation::kStart:
    case Operation::kExit:
    case Operation::kYield:
    case Operation::kSleep:
    case Operation::kProcessExit:
    case Operation::kClockRead:
    case Operation::kGiveUp:
    case Operation::kWoke:
    case Operation::kArrive:
    case Operation::kHandle:
    case Operation::kPublish:
    case Operation::kObserve:
    case Operation::kAllocated:
    case Operation::kFresh:
    case Operation::kInit:  // of what is only seen when it is used
    case Operation::kDestroy: return {};
  }
  return {};
}

}  // namespace

bool acts_on_thread(Operation operation) { return noun(operation) == "thread"; }

void ObjectNames::note(Operation operation, std::uint64_t object, const VariableName& name) {
  if (noun(operation) == "memory") {
    memory_.note(object, name);
  } else if (acts_on_memory(operation)) {
    locks_.note(object, without_reserved(name));
  }
}

bool acts_on_memory(Operation operation) {
  const std::string_view what = noun(operation);
  return !what.empty() && what != "thread" && what != "fd" && what != "signal";
}

std::string ObjectNames::name(Operation operation, std::uint64_t object) {
  if (acts_on_thread(operation)) return "T" + std::to_string(object);
  const std::string_view what = noun(operation);
  if (what.empty()) return {};
  if (what == "fd") return "fd " + std::to_string(object);
  if (object == 0) return {};
  if (what == "signal") {
    const char* abbreviation = sigabbrev_np(static_cast<int>(object));
    return abbreviation ? std::string("SIG") + abbreviation : "signal " + std::to_string(object);
  }
  const std::string own = what == "memory" ? memory_.name(object) : locks_.name(object);
  if (!own.empty()) return own;
  const auto [found, is_new] = numbers_.try_emplace({what, object}, 0);
  if (is_new) found->second = ++last_[what];
  return std::string(what) + " " + std::to_string(found->second);
}

}  // namespace unravel
