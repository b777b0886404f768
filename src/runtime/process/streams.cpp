#include "runtime/process/streams.hpp"

#include <asm/ioctls.h>

#include <cstring>

#include "runtime/os/descriptor_path.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

using wire::OriginKind;

namespace {

bool stat_of(int descriptor, struct stat* status) {
  return os::call(SYS_fstat, descriptor, os::as_argument(status)) == 0;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

/// Whether what it carries comes in messages.
bool is_message(int descriptor) {
  int type = 0;
  socklen_t size = sizeof(type);
  const long known = os::call(SYS_getsockopt, descriptor, SOL_SOCKET, SO_TYPE,
                              os::as_argument(&type), os::as_argument(&size));
  return known == 0 && type != SOCK_STREAM;
}

bool is_terminal(int descriptor) {
  char settings[64];
  return os::call(SYS_ioctl, descriptor, TCGETS, os::as_argument(settings)) == 0;
}

}  // namespace

void SentHash::add(const void* bytes, std::size_t size) {
  constexpr std::uint64_t kPrime = 0x0000'0100'0000'01b3;
  const auto* at = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ at[i]) * kPrime;
}

bool Streams::is_stream(int descriptor, const struct stat& status) {
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ||
         (S_ISCHR(status.st_mode) && is_terminal(descriptor));
}

// --- Nodes ---------------------------------------------------------------------------------------

StreamNode* Streams::find(const struct stat& status) const {
  if (!nodes_) return nullptr;
  const std::uint32_t hash = mixed(status.st_dev, status.st_ino) % kMostNodes;
  for (std::uint32_t at = hashes_[hash]; at; at = nodes_[at - 1].next) {
    StreamNode& node = nodes_[at - 1];
    if (node.inode == status.st_ino && node.device == status.st_dev) return &node;
  }
  return nullptr;
}

StreamNode& Streams::make(const struct stat& status) {
  if (StreamNode* known = find(status)) {
    const std::uint32_t next = known->next;
    *known = StreamNode{.device = status.st_dev, .inode = status.st_ino, .next = next};
    return *known;
  }
  if (!nodes_) {
    nodes_ = arena_.take_array<StreamNode>(kMostNodes);
    hashes_ = arena_.take_array<std::uint32_t>(kMostNodes);
  }
  const auto index = static_cast<std::uint32_t>(recorded_++ % kMostNodes);
  if (nodes_[index].inode) unlink(index);
  std::uint32_t& first = hashes_[mixed(status.st_dev, status.st_ino) % kMostNodes];
  nodes_[index] = StreamNode{.device = status.st_dev, .inode = status.st_ino, .next = first};
  first = index + 1;
  return nodes_[index];
}

void Streams::unlink(std::uint32_t index) {
  const StreamNode& gone = nodes_[index];
  std::uint32_t* at = &hashes_[mixed(gone.device, gone.inode) % kMostNodes];
  while (*at && *at != index + 1) at = &nodes_[*at - 1].next;
  if (*at) *at = gone.next;
}

std::uint32_t Streams::count(std::uint64_t key) {
  if (!counts_) counts_ = arena_.take_array<Count>(kMostCounts);
  key |= 1;  // 0 is a free place
  for (std::uint32_t i = 0; i < kMostCounts; ++i) {
    Count& place = counts_[(key + i) % kMostCounts];
    if (place.key != key && place.key != 0) continue;
    place.key = key;
    return static_cast<std::uint32_t>(place.value++);
  }
  return ~0u;
}

void Streams::set_origin(StreamNode& node, int descriptor, OriginKind kind, std::uint64_t name,
                         const Thread& maker) {
  struct stat status {};
  const bool is_socket = stat_of(descriptor, &status) && S_ISSOCK(status.st_mode);
  const std::uint64_t key = mixed(mixed(0, static_cast<std::uint64_t>(kind)), name);
  node.origin = {.name = name,
                 .thread = maker.ordinal,
                 .before = count(mixed(key, maker.ordinal + std::uint64_t{1})),
                 .before_of_all = count(key),
                 .kind = kind,
                 .is_message = is_socket && is_message(descriptor),
                 .is_socket = is_socket};
}

// --- Origins -------------------------------------------------------------------------------------

void Streams::record_made(int descriptor, const Thread& maker) {
  struct stat status {};
  if (!stat_of(descriptor, &status)) return;
  record_file(descriptor, 0);
  // Sockets and pipes are counted apart: a socket that is connected gets another origin.
  set_origin(make(status), descriptor, OriginKind::kMade, S_ISSOCK(status.st_mode) ? 1 : 0, maker);
}

void Streams::record_connect(int descriptor, const Thread& maker, const sockaddr* address,
                             socklen_t length) {
  struct stat status {};
  if (!address || !stat_of(descriptor, &status) || !S_ISSOCK(status.st_mode)) return;
  SentHash name;
  name.add(address, length < sizeof(sockaddr_storage) ? length : sizeof(sockaddr_storage));
  StreamNode* known = find(status);
  // A connection that does not wait asks several times.
  if (known && known->origin.kind == OriginKind::kConnected && known->origin.name == name.value()) {
    return;
  }
  set_origin(make(status), descriptor, OriginKind::kConnected, name.value(), maker);
}

void Streams::record_accepted(int descriptor, const Thread& maker, StreamNode& listener) {
  struct stat status {};
  if (!stat_of(descriptor, &status)) return;
  record_file(descriptor, 0);
  const wire::StreamOrigin from = listener.origin;
  // The connections of one listener are numbered in the order in which they are accepted.
  const std::uint32_t before = listener.accepted++;
  const std::uint64_t name =
      mixed(mixed(mixed(1, from.name), from.before_of_all), static_cast<std::uint64_t>(from.kind));
  StreamNode& node = make(status);
  set_origin(node, descriptor, OriginKind::kAccepted, name, maker);
  node.origin.before_of_all = before;
}

StreamNode& Streams::at(int descriptor, const struct stat& status, const Thread& self) {
  if (StreamNode* known = find(status)) return *known;
  char path[256];
  const os::DescriptorPath link(descriptor);
  const long size =
      os::call(SYS_readlink, os::as_argument(link.text()), os::as_argument(path), sizeof(path));
  StreamNode& node = make(status);
  if (size > 0 && path[0] == '/') {
    SentHash name;
    name.add(path, static_cast<std::size_t>(size));
    set_origin(node, descriptor, OriginKind::kOpened, name.value(), self);
  } else {
    set_origin(node, descriptor, OriginKind::kInherited, static_cast<std::uint64_t>(descriptor),
               self);
  }
  return node;
}

// --- Files ---------------------------------------------------------------------------------------

std::uint32_t Streams::file_at(int descriptor) const {
  return files_ && descriptor >= 0 && descriptor < kMostFiles ? files_[descriptor] : 0;
}

void Streams::record_file(int descriptor, std::uint32_t number) {
  if (descriptor < 0 || descriptor >= kMostFiles || (!files_ && number == 0)) return;
  if (!files_) files_ = arena_.take_array<std::uint32_t>(kMostFiles);
  files_[descriptor] = number;
}

}  // namespace unravel
