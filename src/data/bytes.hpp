/// Converts values to bytes and back, in the form that all stored files share.
///
/// A stored file is sealed: magic, versions and size in front, a checksum at the end. A reader
/// first checks that the bytes are complete, then whether they have the expected format.
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
  std::string_view noun;   // for messages, such as "schedule"
  std::uint32_t version = 0;
  std::uint32_t operation_table = 0;  // 0: names no operations
  std::uint32_t oldest = 0;           // the oldest readable version; 0: only `version`
};

/// Writes the fields of one file, in the order in which a FieldReader reads them.
class FieldWriter {
 public:
  explicit FieldWriter(const Format& format);

  void number(std::uint64_t value) { append_varint(bytes_, value); }
  void flag(bool value) { number(value ? 1 : 0); }
  void text(std::string_view value);

  /// Takes few bytes if the value is close to `before`, on either side.
  void difference(std::uint64_t value, std::uint64_t before);

  /// Returns the whole file. Call it once, at the end.
  std::vector<std::byte> seal();

 private:
  std::vector<std::byte> bytes_;
};

/// Reads fields. After the first error every read returns zeros, and `error()` has that error, so a
/// decoder checks only once, at its end.
class FieldReader {
 public:
  /// Checks the seal. `bytes` must outlive the reader.
  static Result<FieldReader> open(const Format& format, std::span<const std::byte> bytes);

  /// The version of the file.
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

  /// The number of following elements, each of at least `smallest` bytes. It is never more than the
  /// remaining bytes could hold, so a reader may allocate that many.
  std::size_t count(std::size_t smallest);

  /// Counts memory that a reader is about to use for repeated references to one element. Refuses
  /// more than any real file needs.
  void charge(std::size_t bytes);

  bool good() const { return !error_; }
  void refuse(std::string why);

  /// The first error. Bytes after the last field are an error, too.
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

/// Whether the bytes begin with the magic of this format.
bool has_magic(const Format& format, std::span<const std::byte> bytes);

std::vector<std::byte> compress(std::span<const std::byte> bytes);
/// Compresses less but faster, for large data.
std::vector<std::byte> compress_fast(std::span<const std::byte> bytes);

/// Refuses results larger than `most` bytes: a few bytes can claim to be gigabytes.
Result<std::vector<std::byte>> decompress(std::span<const std::byte> bytes, std::size_t most,
                                          std::string_view noun);

}  // namespace unravel
