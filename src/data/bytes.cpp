#include "data/bytes.hpp"

#include <xxhash.h>
#include <zstd.h>

#include <cstring>
#include <utility>

#include "base/assert.hpp"

namespace unravel {

namespace {

constexpr std::size_t kMagicSize = 8;
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kTableAt = 12;
constexpr std::size_t kSizeAt = 16;
constexpr std::size_t kHeaderSize = 24;
constexpr std::size_t kChecksumSize = 8;

// A table of a thousand rows with stacks of a hundred frames takes a tenth of this.
constexpr std::size_t kMostCharged = std::size_t{1} << 28;

// Schedules and tables are small. Higher levels of zstd gain a per cent and take ten times as
// long; no measurement of that is recorded.
constexpr int kCompressionLevel = 9;
constexpr int kFastLevel = 1;

void put(std::vector<std::byte>& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

std::uint64_t get(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
  }
  return value;
}

std::string a(std::string_view noun) { return "a " + std::string(noun); }

Error damaged(std::string_view noun, std::string why) {
  return {Error::Kind::kUser, "this " + std::string(noun) + " is damaged", std::move(why),
          "take it again from where it came from; what was cut or changed cannot be restored"};
}

Error of_version(std::string_view noun, std::string_view what, std::uint64_t theirs,
                 std::uint32_t ours) {
  const std::string versions = std::string(what) + " version " + std::to_string(theirs) +
                               ", and this unravel reads version " + std::to_string(ours);
  return {
      Error::Kind::kUser, "this " + std::string(noun) + " has " + versions,
      theirs > ours ? "it was written by a newer unravel" : "it was written by an older unravel",
      theirs > ours ? "update unravel" : "find the failure again with this unravel"};
}

}  // namespace

FieldWriter::FieldWriter(const Format& format) : bytes_(kHeaderSize) {
  UNRAVEL_ASSERT(format.magic.size() == kMagicSize, "a magic has 8 characters");
  std::memcpy(bytes_.data(), format.magic.data(), kMagicSize);
  put(bytes_, kVersionAt, format.version, 4);
  put(bytes_, kTableAt, format.operation_table, 4);
}

void FieldWriter::text(std::string_view value) {
  number(value.size());
  const auto bytes = std::as_bytes(std::span(value));
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void FieldWriter::difference(std::uint64_t value, std::uint64_t before) {
  // Zigzag: 0, -1, 1, -2, … become 0, 1, 2, 3, …. Differences wrap around, so any two values have
  // one.
  const std::uint64_t up = value - before;
  number(up >> 63 ? ~(up << 1) : up << 1);
}

std::vector<std::byte> FieldWriter::seal() {
  const std::size_t checksum_at = bytes_.size();
  put(bytes_, kSizeAt, checksum_at + kChecksumSize, 8);
  const std::uint64_t checksum = XXH64(bytes_.data(), checksum_at, 0);
  bytes_.resize(checksum_at + kChecksumSize);
  put(bytes_, checksum_at, checksum, kChecksumSize);
  return std::move(bytes_);
}

bool has_magic(const Format& format, std::span<const std::byte> bytes) {
  return bytes.size() >= kMagicSize &&
         std::memcmp(bytes.data(), format.magic.data(), kMagicSize) == 0;
}

Result<FieldReader> FieldReader::open(const Format& format, std::span<const std::byte> bytes) {
  if (!has_magic(format, bytes)) {
    return user_error(
        "this is not " + a(format.noun) + " of unravel",
        bytes.empty() ? "it is empty" : "it does not begin with " + std::string(format.magic));
  }
  if (bytes.size() < kHeaderSize + kChecksumSize) {
    return fail(damaged(format.noun, "it ends after " + std::to_string(bytes.size()) + " bytes"));
  }
  // The version is checked first: a newer one may have another checksum or size.
  const auto version = static_cast<std::uint32_t>(get(bytes, kVersionAt, 4));
  const std::uint32_t oldest = format.oldest > 0 ? format.oldest : format.version;
  if (version < oldest || version > format.version) {
    return fail(of_version(format.noun, "format", version, format.version));
  }
  const std::uint64_t size = get(bytes, kSizeAt, 8);
  if (size != bytes.size()) {
    return fail(damaged(format.noun, "it has " + std::to_string(bytes.size()) + " of " +
                                         std::to_string(size) + " bytes"));
  }
  const std::size_t checksum_at = bytes.size() - kChecksumSize;
  if (XXH64(bytes.data(), checksum_at, 0) != get(bytes, checksum_at, kChecksumSize)) {
    return fail(damaged(format.noun, "its checksum is wrong"));
  }
  const std::uint64_t table = get(bytes, kTableAt, 4);
  if (table != format.operation_table) {
    return fail(of_version(format.noun, "operation table", table, format.operation_table));
  }
  return FieldReader(format, version, bytes.subspan(kHeaderSize, checksum_at - kHeaderSize));
}

void FieldReader::refuse(std::string why) {
  if (!error_) error_ = damaged(format_.noun, std::move(why));
}

std::uint64_t FieldReader::number() {
  if (error_) return 0;
  const Result<std::uint64_t> value = reader_.varint();
  if (value) return *value;
  refuse(value.error().what + ": " + value.error().why);
  return 0;
}

std::uint64_t FieldReader::number_below(std::uint64_t limit, std::string_view what) {
  const std::uint64_t value = number();
  if (value < limit) return value;
  refuse(std::string(what) + " " + std::to_string(value) + " is not known to this version");
  return 0;
}

std::string FieldReader::text() {
  const std::uint64_t size = number();
  if (error_) return {};
  const auto bytes = reader_.take(size);
  if (!bytes) {
    refuse(bytes.error().what + ": " + bytes.error().why);
    return {};
  }
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::uint64_t FieldReader::difference(std::uint64_t before) {
  const std::uint64_t zigzag = number();
  return before + ((zigzag >> 1) ^ (~(zigzag & 1) + 1));
}

std::size_t FieldReader::count(std::size_t smallest) {
  const std::uint64_t value = number();
  if (value <= reader_.left() / smallest) return static_cast<std::size_t>(value);
  refuse("it claims " + std::to_string(value) + " elements and has room for " +
         std::to_string(reader_.left() / smallest));
  return 0;
}

void FieldReader::charge(std::size_t bytes) {
  charged_ += bytes;
  if (charged_ > kMostCharged) refuse("it names the same things too often");
}

std::optional<Error> FieldReader::finish() {
  if (!reader_.at_end()) {
    refuse(std::to_string(reader_.left()) + " bytes are left over after the last field");
  }
  return error_;
}

namespace {

// zstd produces at most 128 KiB from a block, and no block has less than four bytes.
constexpr std::size_t kMostFromOneByte = (128 << 10) / 4;

std::vector<std::byte> compress_at(std::span<const std::byte> bytes, int level) {
  std::vector<std::byte> compressed(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(compressed.data(), compressed.size(), bytes.data(), bytes.size(), level);
  UNRAVEL_ASSERT(!ZSTD_isError(size), "zstd's own bound was too small");
  compressed.resize(size);
  return compressed;
}

}  // namespace

std::vector<std::byte> compress(std::span<const std::byte> bytes) {
  return compress_at(bytes, kCompressionLevel);
}

std::vector<std::byte> compress_fast(std::span<const std::byte> bytes) {
  return compress_at(bytes, kFastLevel);
}

Result<std::vector<std::byte>> decompress(std::span<const std::byte> bytes, std::size_t most,
                                          std::string_view noun) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) {
    return fail(damaged(noun, "it is not compressed as unravel does it"));
  }
  // The claimed size is checked first: nothing is allocated that so few bytes cannot hold.
  if (size > most || size / kMostFromOneByte > bytes.size()) {
    return fail(damaged(noun, "it claims to be " + std::to_string(size) + " bytes long"));
  }
  std::vector<std::byte> content(static_cast<std::size_t>(size));
  const std::size_t got =
      ZSTD_decompress(content.data(), content.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got)) return fail(damaged(noun, ZSTD_getErrorName(got)));
  if (got != content.size()) return fail(damaged(noun, "it ends too early"));
  return content;
}

}  // namespace unravel
