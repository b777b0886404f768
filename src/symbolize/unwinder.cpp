#include "symbolize/unwinder.hpp"

#include <elf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "symbolize/process_memory.hpp"

namespace unravel {
namespace {

// A driver hunts in one program at a time; its processes differ only in what they load with dlopen.
constexpr std::size_t kMostPrograms = 8;

// libdwfl needs a process id for each session; ours serves many processes.
constexpr pid_t kSomePid = 1;

/// Rebuilds a module's file from memory. That is enough for unwinding, since programs load their
/// unwind tables. Used for the vdso, for files that were replaced, and for files that only the
/// process's own mounts show.
std::vector<char> image_of(const MappedModule& module, const ProcessMemory& memory) {
  // Far above any real program, and far below what a damaged offset could ask for.
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
  std::vector<char> image;
  for (const MappedModule::Part& part : module.parts) {
    const std::uint64_t size = part.end - part.start;
    if (part.file_offset > kLargest || size > kLargest) continue;
    image.resize(std::max<std::size_t>(image.size(), part.file_offset + size));
    memory.read(part.start, image.data() + part.file_offset, size);
  }
  Elf64_Ehdr header;
  if (image.size() < sizeof header) return {};
  std::memcpy(&header, image.data(), sizeof header);
  if (header.e_shoff > image.size() ||
      image.size() - header.e_shoff < std::size_t{header.e_shnum} * header.e_shentsize) {
    header.e_shoff = 0;
    header.e_shnum = 0;
    header.e_shstrndx = SHN_UNDEF;
    std::memcpy(image.data(), &header, sizeof header);
  }
  return image;
}

/// A module as a session of libdwfl knows it.
struct OpenModule {
  const MappedModule* mapped;
  const ProcessMemory* memory;
  std::vector<char> image;  // must live as long as libdwfl uses it
};

int find_elf(Dwfl_Module*, void** user, const char*, Dwarf_Addr, char** file, Elf** elf) {
  OpenModule& module = *static_cast<OpenModule*>(*user);
  const std::string& path = module.mapped->path;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
      is_same_inode(status.st_ino, module.mapped->inode)) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
      *file = ::strdup(path.c_str());
      return fd;
    }
  }
  module.image = image_of(*module.mapped, *module.memory);
  if (!module.image.empty()) *elf = elf_memory(module.image.data(), module.image.size());
  return -1;
}

// Unwind tables are never in a separate file. Not looking for one saves most of the time of opening
// a program.
int find_no_debug_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                       GElf_Word, char**) {
  return -1;
}

std::string read_maps(pid_t pid) {
  std::string text;
  const int fd = ::open((folder_of_memory(pid) + "/maps").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  std::array<char, 16384> buffer;
  for (ssize_t size = 0; (size = ::read(fd, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  ::close(fd);
  return text;
}

tl::unexpected<Error> cannot_read(pid_t pid, std::string why) {
  return environment_error("the memory of process " + std::to_string(pid) + " cannot be read",
                           std::move(why),
                           "run unravel as the user who owns the program, and check that "
                           "/proc/sys/kernel/yama/ptrace_scope is below 2");
}

/// Reads the registers of a frame from the unwind tables. Registers that a call does not preserve
/// are known only in the interrupted frame.
void read_registers(Dwfl_Frame* frame, FrameState& into) {
  for (unsigned number = 0; number < into.registers.size(); ++number) {
    Dwarf_Word value = 0;
    if (dwfl_frame_reg(frame, number, &value) == 0) into.registers[number] = value;
  }
}

}  // namespace

/// A program's code, opened by libdwfl once, and the thread in it that is being unwound.
struct Unwinder::Program {
  ~Program() { dwfl_end(session); }

  bool open();
  void walk(std::size_t most_frames);
  FrameState frame_at(std::uint64_t address, bool exact) const;

  static bool get_thread(Dwfl*, pid_t, void* program, void** thread);
  static pid_t next_thread(Dwfl*, void* program, void** thread);
  static bool read_memory(Dwfl*, Dwarf_Addr address, Dwarf_Word* word, void* program);
  static bool set_registers(Dwfl_Thread* thread, void* program);
  static int add_frame(Dwfl_Frame* frame, void* program);

  std::string code;  // the lines of /proc/PID/maps that identify this program
  CodeMap map;
  std::vector<OpenModule> modules;
  Dwfl* session = nullptr;

  ProcessMemory memory;
  Registers regs;
  std::size_t most = 0;
  std::vector<FrameState> stack;
};

bool Unwinder::Program::get_thread(Dwfl*, pid_t, void* program, void** thread) {
  *thread = program;
  return true;
}

pid_t Unwinder::Program::next_thread(Dwfl*, void* program, void** thread) {
  if (*thread) return 0;
  *thread = program;
  return kSomePid;
}

bool Unwinder::Program::read_memory(Dwfl*, Dwarf_Addr address, Dwarf_Word* word, void* program) {
  std::uint64_t value = 0;
  if (!static_cast<Program*>(program)->memory.read_word(address, value)) return false;
  *word = value;
  return true;
}

bool Unwinder::Program::set_registers(Dwfl_Thread* thread, void* program) {
  const Registers& regs = static_cast<Program*>(program)->regs;
  // Register numbers of the System V ABI for x86-64, figure 3.36.
  const std::array<std::pair<int, Dwarf_Word>, 8> preserved = {{{3, regs.rbx},
                                                                {6, regs.rbp},
                                                                {7, regs.rsp},
                                                                {12, regs.r12},
                                                                {13, regs.r13},
                                                                {14, regs.r14},
                                                                {15, regs.r15},
                                                                {16, regs.rip}}};
  const std::array<std::pair<int, Dwarf_Word>, 9> others = {{{0, regs.rax},
                                                             {1, regs.rdx},
                                                             {2, regs.rcx},
                                                             {4, regs.rsi},
                                                             {5, regs.rdi},
                                                             {8, regs.r8},
                                                             {9, regs.r9},
                                                             {10, regs.r10},
                                                             {11, regs.r11}}};
  const auto set = [&](const std::pair<int, Dwarf_Word>& reg) {
    return dwfl_thread_state_registers(thread, reg.first, 1, &reg.second);
  };
  dwfl_thread_state_register_pc(thread, regs.rip);
  return std::all_of(preserved.begin(), preserved.end(), set) &&
         (!regs.full || std::all_of(others.begin(), others.end(), set));
}

FrameState Unwinder::Program::frame_at(std::uint64_t address, bool exact) const {
  FrameState frame;
  const CodeMap::Stretch* stretch = map.find(exact ? address : address - 1);
  if (!stretch || stretch->module == CodeMap::kNoModule) {
    frame.place = {"", address, exact};
    return frame;
  }
  const MappedModule& module = map.modules[stretch->module];
  frame.place = {module.path, address - module.base, exact};
  frame.module_base = module.base;
  return frame;
}

int Unwinder::Program::add_frame(Dwfl_Frame* frame, void* program) {
  Program& self = *static_cast<Program*>(program);
  Dwarf_Addr address = 0;
  bool exact = false;
  if (!dwfl_frame_pc(frame, &address, &exact)) return DWARF_CB_ABORT;
  // Everything after an address outside code is garbage.
  if (!self.map.find(exact ? address : address - 1)) return DWARF_CB_ABORT;
  FrameState state = self.frame_at(address, exact);
  read_registers(frame, state);
  // On x86-64 the canonical frame address is the caller's stack pointer.
  if (!self.stack.empty()) self.stack.back().frame_address = state.registers[kStackPointer];
  self.stack.push_back(std::move(state));
  return self.stack.size() < self.most ? DWARF_CB_OK : DWARF_CB_ABORT;
}

bool Unwinder::Program::open() {
  static char* no_path = nullptr;
  static const Dwfl_Callbacks callbacks = {.find_elf = find_elf,
                                           .find_debuginfo = find_no_debug_file,
                                           .section_address = dwfl_offline_section_address,
                                           .debuginfo_path = &no_path};
  static const Dwfl_Thread_Callbacks thread_callbacks = {.next_thread = next_thread,
                                                         .get_thread = get_thread,
                                                         .memory_read = read_memory,
                                                         .set_initial_registers = set_registers,
                                                         .detach = nullptr,
                                                         .thread_detach = nullptr};
  session = dwfl_begin(&callbacks);
  if (!session) return false;
  dwfl_report_begin(session);
  modules.reserve(map.modules.size());  // libdwfl keeps pointers to them
  for (const MappedModule& mapped : map.modules) {
    Dwfl_Module* reported =
        dwfl_report_module(session, mapped.path.c_str(), mapped.start, mapped.end);
    if (!reported) continue;
    void** user = nullptr;
    dwfl_module_info(reported, &user, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    modules.push_back({&mapped, &memory, {}});
    *user = &modules.back();
  }
  dwfl_report_end(session, nullptr, nullptr);
  return dwfl_attach_state(session, nullptr, kSomePid, &thread_callbacks, this);
}

void Unwinder::Program::walk(std::size_t most_frames) {
  most = most_frames;
  stack.clear();
  if (most == 0) return;
  const bool called_no_code = !map.find(regs.rip);
  if (called_no_code) {
    // A call through a bad pointer has only pushed its return address.
    stack.push_back(frame_at(regs.rip, true));
    if (!memory.read_word(regs.rsp, regs.rip)) return;
    regs.rsp += sizeof regs.rip;
  }
  const std::size_t first = stack.size();
  if (first < most) dwfl_getthread_frames(session, kSomePid, add_frame, this);
  if (called_no_code && stack.size() > first) stack[first].place.exact = false;
}

Unwinder::Unwinder() = default;
Unwinder::~Unwinder() = default;

void Unwinder::begin_visit(pid_t pid) {
  const Result<Program*> program = open_program(pid);
  // If opening failed, unwind() reports why.
  if (!program) return;
  visited_pid_ = pid;
  visited_ = *program;
}

void Unwinder::end_visit() {
  if (visited_) visited_->memory.close();
  visited_ = nullptr;
  visited_pid_ = 0;
}

Result<Unwinder::Program*> Unwinder::program_of(pid_t pid) {
  if (visited_ && pid == visited_pid_) return visited_;
  return open_program(pid);
}

void Unwinder::leave(Program& program) {
  if (&program != visited_) program.memory.close();
}

Result<Unwinder::Program*> Unwinder::open_program(pid_t pid) {
  ++maps_read_;
  const std::string maps = read_maps(pid);
  if (maps.empty()) return cannot_read(pid, "it has ended, or belongs to another user");
  std::string code = code_lines(maps);
  const auto known = std::find_if(programs_.begin(), programs_.end(),
                                  [&](const auto& program) { return program->code == code; });
  const bool is_known = known != programs_.end();
  auto program = is_known ? std::move(*known) : std::make_unique<Program>();
  if (is_known) programs_.erase(known);

  if (!program->memory.open(pid)) {
    const std::string why = std::strerror(errno);
    if (is_known) programs_.insert(programs_.begin(), std::move(program));
    return cannot_read(pid, why);
  }
  if (!is_known) {
    ++opened_;
    program->code = std::move(code);
    program->map = read_code_map(maps);
    for (MappedModule& module : program->map.modules) {
      module.path = path_from_here(module.path, module.inode);
    }
    if (!program->open()) {
      return internal_error("the program of process " + std::to_string(pid) + " cannot be unwound",
                            dwfl_errmsg(-1));
    }
  }
  programs_.insert(programs_.begin(), std::move(program));
  if (programs_.size() > kMostPrograms && programs_.back().get() != visited_) programs_.pop_back();
  return programs_.front().get();
}

Result<std::vector<FrameState>> Unwinder::walk(pid_t pid, const Registers& regs, std::size_t most) {
  const Result<Program*> program = program_of(pid);
  if (!program) return fail(program.error());
  Program& found = **program;
  found.regs = regs;
  found.walk(most);
  leave(found);
  return std::move(found.stack);
}

Result<std::vector<RawFrame>> Unwinder::unwind(pid_t pid, const Registers& regs, std::size_t most) {
  auto stack = walk(pid, regs, most);
  if (!stack) return fail(stack.error());
  std::vector<RawFrame> places;
  for (FrameState& frame : *stack) places.push_back(std::move(frame.place));
  return places;
}

Result<CodeMap> Unwinder::modules(pid_t pid) {
  const Result<Program*> program = program_of(pid);
  if (!program) return fail(program.error());
  leave(**program);
  return (*program)->map;
}

std::vector<Frame> symbolize(Symbolizer& symbolizer, const std::vector<RawFrame>& stack) {
  std::vector<Frame> frames;
  for (const RawFrame& raw : stack) {
    for (Frame& frame : symbolizer.frames(raw.module, raw.offset, raw.exact)) {
      frames.push_back(std::move(frame));
    }
  }
  return frames;
}

}  // namespace unravel
