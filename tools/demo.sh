#!/usr/bin/env bash
# Hunts down the bug of an example program and shows the failing run. Called by `./dev demo`.
set -euo pipefail
cd "$(dirname "$0")/.."

unravel=${UNRAVEL_BINARY:-$PWD/build/bin/unravel}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What comes next, in words, and the command that does it.
next() { printf '\n-- %s\n' "$*"; }
say() { printf '$ %s\n' "$*"; }

next "compiling an example: a bank that sometimes loses money"
say "g++ -std=c++20 -g -pthread examples/01-lost-update.cpp -o lost-update"
g++ -std=c++20 -g -pthread examples/01-lost-update.cpp -o "$folder/lost-update"
cd "$folder"

next "running it 200 times without unravel: does it fail by itself?"
say "for i in 1 … 200: ./lost-update"
failed=0
for _ in {1..200}; do ./lost-update 2>/dev/null || failed=$((failed + 1)); done
echo "natively: $failed of 200 runs failed"

# The status 1 of these commands says that the program failed, which is what we are after. Anything
# else ends the demonstration; why, the command has said.
must_fail() {
  local otherwise=$1 status=0
  shift
  say "unravel $*"
  "$unravel" "$@" || status=$?
  case $status in
    1) ;;
    0) echo "demo: $otherwise" >&2; exit 1 ;;
    *) echo "demo: \`unravel $1\` ended with status $status: see above" >&2; exit "$status" ;;
  esac
}

next "looking for an order of its threads in which it fails, then for the simplest one"
must_fail "the bug was not found" hunt -- ./lost-update
next "running the failing order once more"
must_fail "the failure was not reproduced" replay
echo
echo "Your own program: build/bin/unravel hunt -- ./program"
