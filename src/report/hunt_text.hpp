/// A hunt in words: how it goes, and what it explored.
#pragma once

#include <string>

#include "data/explored.hpp"
#include "data/hunted.hpp"
#include "report/text.hpp"

namespace unravel {

/// `812 runs, 1350/s, 410 schedules, 35 behaviours, 12 of 20 pairs both ways, no failure, 0.6 s`.
std::string hunt_line(const Explored& explored);

/// What to hear first if most runs say nothing; empty if they do not.
std::string mostly_unresolved(const Explored& explored);

/// What was explored, a line each, and in one sentence how sure one may be.
std::string explored_text(const Explored& explored);

/// `3 tests, 1 failed`, and a line for each reason for which some of them tested nothing.
std::string tests_text(const std::vector<HuntedTest>& tests);

/// With what probability at most PCT's runs missed a bug that needs `depth` orders of steps, by its
/// bound; 1 if there were none.
double missed_at_most(const Explored& explored, unsigned depth);

}  // namespace unravel
