#include "runtime/process/descriptions.hpp"

#include <linux/kcmp.h>

#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

bool stat_of(int descriptor, struct stat* status) {
  return os::call(SYS_fstat, descriptor, os::as_argument(status)) == 0;
}

/// Whether two numbers mean the same description. Returns false on kernels without this call.
bool are_copies(int one, int other) {
  const long self = os::call(SYS_getpid);
  return os::call(SYS_kcmp, self, self, KCMP_FILE, one, other) == 0;
}

}  // namespace

bool Descriptions::has_inode(const struct stat& status) {
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

std::uint32_t Descriptions::hash_of(const struct stat& status) {
  const std::uint64_t mixed = (status.st_ino ^ (status.st_dev << 32)) * 0x9e3779b97f4a7c15;
  return static_cast<std::uint32_t>(mixed >> 48) % kHashes;
}

Descriptions::Node* Descriptions::find(const struct stat& status) const {
  if (!nodes_) return nullptr;
  for (std::uint32_t at = hashes_[hash_of(status)]; at; at = nodes_[at - 1].next) {
    Node& node = nodes_[at - 1];
    if (node.inode == status.st_ino && node.device == status.st_dev) return &node;
  }
  return nullptr;
}

bool Descriptions::has(int descriptor, std::uint32_t fact) const {
  struct stat status {};
  return stat_of(descriptor, &status) && has(descriptor, status, fact);
}

bool Descriptions::has(int descriptor, const struct stat& status, std::uint32_t fact) const {
  if (has_inode(status)) {
    const Node* node = find(status);
    return node && node->generation == generation_ && (node->facts & fact);
  }
  if (!is_number(descriptor)) return false;
  const Number& number = numbers_[numbers_[descriptor].original - 1];
  return number.generation == generation_ && (number.facts & fact);
}

void Descriptions::record(int descriptor, std::uint32_t facts) {
  struct stat status {};
  if (!stat_of(descriptor, &status)) return;
  if (!has_inode(status)) {
    Number* number = number_at(descriptor);
    if (number) *number = {descriptor + 1, generation_, facts};
    return;
  }
  Node* node = find(status);
  if (!node) {
    if (!nodes_) {
      nodes_ = arena_.take_array<Node>(kMostNodes);
      hashes_ = arena_.take_array<std::uint32_t>(kHashes);
    }
    const auto index = static_cast<std::uint32_t>(recorded_++ % kMostNodes);
    if (nodes_[index].inode) unlink(index);
    node = &nodes_[index];
    std::uint32_t& first = hashes_[hash_of(status)];
    *node = {.device = status.st_dev, .inode = status.st_ino, .next = first};
    first = index + 1;
  }
  node->generation = generation_;
  node->facts = facts;
}

void Descriptions::unlink(std::uint32_t index) {
  struct stat status {};
  status.st_dev = nodes_[index].device;
  status.st_ino = nodes_[index].inode;
  std::uint32_t* at = &hashes_[hash_of(status)];
  while (*at && *at != index + 1) at = &nodes_[*at - 1].next;
  if (*at) *at = nodes_[index].next;
}

Descriptions::Number* Descriptions::number_at(int descriptor) {
  if (descriptor < 0 || descriptor >= kMostNumbers) return nullptr;
  if (!numbers_) numbers_ = arena_.take_array<Number>(kMostNumbers);
  if (descriptor > highest_) highest_ = descriptor;
  return &numbers_[descriptor];
}

void Descriptions::forget(int descriptor) {
  struct stat status {};
  if (!stat_of(descriptor, &status)) return;
  if (has_inode(status)) {
    if (Node* node = find(status)) node->facts = 0;
  } else if (is_number(descriptor)) {
    numbers_[numbers_[descriptor].original - 1].facts = 0;
  }
}

void Descriptions::record_copy(int descriptor, int copy) {
  struct stat status {};
  if (descriptor == copy || !stat_of(copy, &status) || (status.st_mode & S_IFMT)) return;
  Number* from = number_at(descriptor);
  Number* to = number_at(copy);
  if (!from || !to) return;
  if (!from->original) *from = {descriptor + 1, 0, 0};
  *to = {from->original, 0, 0};
}

void Descriptions::recognise(int descriptor) {
  struct stat status {};
  if (!stat_of(descriptor, &status) || (status.st_mode & S_IFMT)) return;
  for (int known = 0; known <= highest_; ++known) {
    if (known == descriptor || !is_number(known) || !are_copies(known, descriptor)) continue;
    return record_copy(known, descriptor);
  }
}

int Descriptions::original_of(int descriptor) const {
  return is_number(descriptor) ? numbers_[descriptor].original - 1 : descriptor;
}

int Descriptions::closed(int descriptor) {
  if (!is_number(descriptor)) return -1;
  const Number gone = numbers_[descriptor];
  numbers_[descriptor] = {};
  if (gone.original != descriptor + 1) return gone.original - 1;
  int heir = -1;
  for (int other = 0; other <= highest_; ++other) {
    if (numbers_[other].original != gone.original) continue;
    if (heir < 0) {
      heir = other;
      numbers_[other].generation = gone.generation;
      numbers_[other].facts = gone.facts;
    }
    numbers_[other].original = heir + 1;
  }
  while (highest_ >= 0 && !numbers_[highest_].original) --highest_;
  return heir;
}

}  // namespace unravel
