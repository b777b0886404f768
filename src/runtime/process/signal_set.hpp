/// Sets of signals as one word: signal n is bit n-1, as in the kernel.
#pragma once

#include <signal.h>

#include <bit>
#include <cstdint>

namespace unravel {

constexpr std::uint64_t signal_bit(int signal) { return std::uint64_t{1} << (signal - 1); }
inline std::uint64_t bits_of(const sigset_t& set) { return set.__val[0]; }
inline sigset_t set_of(std::uint64_t bits) {
  sigset_t set{};
  set.__val[0] = bits;
  return set;
}

/// Signals that instructions raise; the kernel delivers those at once. When sent, they are like any
/// other.
inline constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
inline constexpr std::uint64_t kFaultBits =
    signal_bit(SIGSEGV) | signal_bit(SIGBUS) | signal_bit(SIGFPE) | signal_bit(SIGILL) |
    signal_bit(SIGTRAP) | signal_bit(SIGSYS) | signal_bit(SIGABRT);
/// KILL and STOP cannot be held back; the C library uses 32 and 33 to cancel threads and to change
/// ids.
inline constexpr std::uint64_t kNotOurs =
    signal_bit(SIGKILL) | signal_bit(SIGSTOP) | signal_bit(32) | signal_bit(33);
/// The signals that are really blocked in every thread at all times. libc's abort() sends SIGABRT
/// to itself.
inline constexpr std::uint64_t kHeldBack = ~(kNotOurs | kFaultBits);

inline constexpr int kFirstRealTime = 32;  // for the kernel; the C library reserves two of them

constexpr bool is_fault(int signal) { return kFaultBits & signal_bit(signal); }

/// The first of several pending signals: those that instructions raise come first, then the lowest
/// number.
inline int first_of(std::uint64_t bits) {
  constexpr std::uint64_t kFirst = kFaultBits & ~signal_bit(SIGABRT);
  return std::countr_zero(bits & kFirst ? bits & kFirst : bits) + 1;
}

}  // namespace unravel
