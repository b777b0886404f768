/// Values to bytes and back: what all stored files have in common.
///
/// A stored file is sealed: magic, versions and size in front, a checksum behind. So a reader
/// of any bytes first learns whether they are whole, and then whether they are meant for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/varint.hpp"

namespace unravel {

/// One kind of stored file.
struct Format {
  std::string_view magic;  // 8 characters
  std::string_view noun;   // "schedule"; messages call it so
  std::uint32_t version = 0;
  std::uint32_t operation_table = 0;  // 0: names no operations
  std::uint32_t oldest = 0;           // that is still read; 0: none but `version`
};

/// Writes the fields of one file, in the order in which an FieldReader reads them.
class FieldWriter {
 public:
  explicit FieldWriter(const Format& format);

  void number(std::uint64_t value) { append_varint(bytes_, value); }
  void flag(bool value) { number(value ? 1 : 0); }
  void text(std::string_view value);

  /// Small for values close to the one before, above or below it.
  void difference(std::uint64_t value, std::uint64_t before);

  /// The whole file; the writer is used up.
  std::vector<std::byte> seal();

 private:
  std::vector<std::byte> bytes_;
};

/// Reads fields until the first one that is wrong; after that every read gives zeros and
/// `error()` says what was wrong, so that a decoder asks once, at its end.
class FieldReader {
 public:
  /// Checks the seal. `bytes` must outlive the reader.
  static Result<FieldReader> open(const Format& format, std::span<const std::byte> bytes);

  /// In which the file was written.
  std::uint32_t version() const { return version_; }

  std::uint64_t number();
  /// A number below `limit`, else "`what` N is not known to this version".
  std::uint64_t number_below(std::uint64_t limit, std::string_view what);
  template <class Integer>
  Integer integer(std::string_view what) {
    return static_cast<Integer>(number_below(std::uint64_t{1} << (8 * sizeof(Integer)), what));
  }
  template <class Enum>
  Enum enumerator(std::uint64_t count, std::string_view what) {
    return static_cast<Enum>(number_below(count, what));
  }
  bool flag() { return number_below(2, "flag") == 1; }
  std::string text();
  std::uint64_t difference(std::uint64_t before);

  /// How many elements follow, each of at least `smallest` bytes: never more than the bytes
  /// that are left could hold, so that a reader may allocate them.
  std::size_t count(std::size_t smallest);

  /// Counts memory that a reader is about to use for what was written once and is named again;
  /// refuses more than any real file needs.
  void charge(std::size_t bytes);

  bool good() const { return !error_; }
  void refuse(std::string why);

  /// The first error; nothing may be left behind the last field.
  std::optional<Error> finish();

 private:
  FieldReader(const Format& format, std::uint32_t version, std::span<const std::byte> body)
      : format_(format), version_(version), reader_(body) {}

  Format format_;
  std::uint32_t version_;
  ByteReader reader_;
  std::size_t charged_ = 0;
  std::optional<Error> error_;
};

/// Whether bytes begin as a file of this format does.
bool has_magic(const Format& format, std::span<const std::byte> bytes);

std::vector<std::byte> compress(std::span<const std::byte> bytes);
/// Less well, for what there is much of.
std::vector<std::byte> compress_fast(std::span<const std::byte> bytes);

/// Refuses what would be larger than `most` bytes: a few bytes can claim to be gigabytes.
Result<std::vector<std::byte>> decompress(std::span<const std::byte> bytes, std::size_t most,
                                          std::string_view noun);

}  // namespace unravel
