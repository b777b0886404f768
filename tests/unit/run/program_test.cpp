#include <elf.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>

#include "base/files.hpp"
#include "run/elf.hpp"
#include "run/runner.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

/// A small ELF file: a header, and program headers of the given types.
std::vector<std::byte> elf(Elf64_Half type, std::vector<Elf64_Word> segments,
                           Elf64_Half machine = EM_X86_64) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = type;
  header.e_machine = machine;
  header.e_phoff = sizeof header;
  header.e_phnum = static_cast<Elf64_Half>(segments.size());
  std::vector<std::byte> bytes(sizeof header + segments.size() * sizeof(Elf64_Phdr));
  std::memcpy(bytes.data(), &header, sizeof header);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    Elf64_Phdr segment = {};
    segment.p_type = segments[i];
    std::memcpy(bytes.data() + sizeof header + i * sizeof segment, &segment, sizeof segment);
  }
  return bytes;
}

std::vector<std::byte> static_pie() {
  std::vector<std::byte> bytes = elf(ET_DYN, {PT_LOAD, PT_DYNAMIC});
  Elf64_Phdr dynamic = {};
  dynamic.p_type = PT_DYNAMIC;
  dynamic.p_offset = bytes.size();
  dynamic.p_filesz = sizeof(Elf64_Dyn);
  std::memcpy(bytes.data() + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), &dynamic, sizeof dynamic);
  Elf64_Dyn flags = {};
  flags.d_tag = DT_FLAGS_1;
  flags.d_un.d_val = DF_1_PIE;
  bytes.resize(bytes.size() + sizeof flags);
  std::memcpy(bytes.data() + dynamic.p_offset, &flags, sizeof flags);
  return bytes;
}

TEST(FileKind, TellsWhatCanBeControlledFromWhatCannot) {
  using Is = FileKind::Is;
  std::vector<std::byte> narrow = elf(ET_EXEC, {PT_INTERP});
  narrow[EI_CLASS] = std::byte{ELFCLASS32};

  EXPECT_EQ(file_kind(elf(ET_DYN, {PT_LOAD, PT_INTERP})).is, Is::kDynamic);
  EXPECT_EQ(file_kind(elf(ET_EXEC, {PT_INTERP})).is, Is::kDynamic);
  EXPECT_EQ(file_kind(elf(ET_EXEC, {PT_LOAD})).is, Is::kStatic);
  EXPECT_EQ(file_kind(static_pie()).is, Is::kStatic);
  EXPECT_EQ(file_kind(elf(ET_DYN, {PT_LOAD})).is, Is::kLibrary);
  EXPECT_EQ(file_kind(elf(ET_REL, {})).is, Is::kLibrary);
  EXPECT_EQ(file_kind(elf(ET_EXEC, {PT_INTERP}, EM_AARCH64)).is, Is::kOtherMachine);
  EXPECT_EQ(file_kind(narrow).is, Is::kOtherMachine);
}

TEST(FileKind, ReadsNothingOutsideTheBytesItHas) {
  const std::vector<std::byte> whole = static_pie();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(file_kind(part).is, FileKind::Is::kDynamic) << size;
  }
  std::vector<std::byte> wild = elf(ET_DYN, {PT_DYNAMIC});
  std::memset(wild.data() + offsetof(Elf64_Ehdr, e_phoff), 0xff, sizeof(Elf64_Off));
  EXPECT_EQ(file_kind(wild).is, FileKind::Is::kLibrary);
}

class FindProgram : public testing::Test {
 protected:
  FindProgram() {
    std::string pattern = (fs::temp_directory_path() / "unravel-program-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    before_ = fs::current_path();
    fs::current_path(folder_);
  }
  ~FindProgram() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  std::string make(const std::string& name, std::span<const std::byte> content,
                   mode_t mode = 0755) {
    const std::string path = (folder_ / name).string();
    EXPECT_TRUE(write_file_atomically(path, content).has_value());
    ::chmod(path.c_str(), mode);
    return path;
  }
  std::string make_script(const std::string& name, const std::string& text) {
    return make(name, std::as_bytes(std::span(text)));
  }

  static Error refusal(const std::string& name) {
    const auto found = find_program({name});
    EXPECT_FALSE(found.has_value()) << name;
    return found ? Error{} : found.error();
  }

  fs::path folder_;
  fs::path before_;
};

TEST_F(FindProgram, LooksAlongPathAsAShellDoes) {
  const auto found = find_program({"true", "--help"});

  ASSERT_TRUE(found.has_value()) << found.error().what;
  EXPECT_TRUE(found->path.ends_with("/bin/true")) << found->path;
  EXPECT_EQ(found->arguments, (std::vector<std::string>{"true", "--help"}));
  EXPECT_EQ(found->directory, fs::current_path().string());
}

TEST_F(FindProgram, TakesAPathAsItIs) {
  fs::copy_file("/bin/true", folder_ / "mine");

  const auto found = find_program({"./mine"});

  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->path, (folder_ / "mine").string());
}

TEST_F(FindProgram, GuessesThatAFileOfTheWorkingDirectoryWasMeant) {
  fs::copy_file("/bin/true", folder_ / "only-here");

  EXPECT_EQ(refusal("only-here").hint, "did you mean './only-here'?");
}

TEST_F(FindProgram, RefusesWhatIsNotThereOrNotAProgram) {
  make("data", {}, 0644);
  make("empty", {});

  EXPECT_EQ(refusal("no-such-program").why, "it is in no directory of PATH");
  EXPECT_EQ(refusal("./missing").why, "there is no such file");
  EXPECT_EQ(refusal("/tmp").what, "'/tmp' is a directory");
  EXPECT_EQ(refusal("./data").why, "its permissions do not allow it");
  EXPECT_EQ(refusal("./empty").what,
            "'" + (folder_ / "empty").string() + "' is neither an ELF program nor a script");
  EXPECT_FALSE(find_program({}).has_value());
  EXPECT_FALSE(find_program({""}).has_value());
}

TEST_F(FindProgram, RefusesAStaticProgramAndSaysWhatToDo) {
  make("static", elf(ET_EXEC, {PT_LOAD}));
  make("static-pie", static_pie());

  EXPECT_EQ(refusal("./static").hint, "relink it without -static");
  EXPECT_EQ(refusal("./static-pie").hint, "relink it without -static");
}

TEST_F(FindProgram, RefusesOtherMachinesLibrariesAndSetuid) {
  make("arm", elf(ET_DYN, {PT_INTERP}, EM_AARCH64));
  make("library", elf(ET_DYN, {PT_LOAD}));
  make("setuid", elf(ET_DYN, {PT_INTERP}), 04755);

  EXPECT_EQ(refusal("./arm").why, "only 64-bit x86 programs can be controlled");
  EXPECT_EQ(refusal("./library").hint, "name the program that uses it");
  EXPECT_EQ(refusal("./setuid").what,
            "'" + (folder_ / "setuid").string() + "' is setuid or setgid");
}

TEST_F(FindProgram, LooksThroughAScriptAtItsInterpreter) {
  make("static", elf(ET_EXEC, {PT_LOAD}));
  make_script("good", "#! /bin/sh -e\ntrue\n");
  make_script("bad", "#!" + (folder_ / "static").string() + "\n");
  make_script("lost", "#!/no/such/shell\n");
  make_script("nested", "#!" + (folder_ / "good").string() + "\n");

  EXPECT_TRUE(find_program({"./good"}).has_value());
  EXPECT_EQ(refusal("./bad").hint, "relink it without -static");
  EXPECT_EQ(refusal("./lost").what, "program '/no/such/shell' was not found");
  EXPECT_EQ(refusal("./nested").hint, "name the program itself");
}

}  // namespace
}  // namespace unravel
