/// What the runtime wrote into the channel: copied first, then checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/schedule.hpp"
#include "data/site_maps.hpp"
#include "run/channel_modules.hpp"
#include "wire/control.hpp"

namespace unravel {

/// The tested program can overwrite the channel at any moment, by a wild pointer or on purpose. So
/// only this class and Channel touch the mapping: callers get copies that were read once and then
/// checked. A word that the runtime cannot have written is replaced by a harmless value and
/// reported by damage().
class ChannelReading {
 public:
  explicit ChannelReading(void* memory = nullptr) : memory_(memory) {}

  std::uint32_t bell() const { return control().driver_bell.load(); }
  wire::State state() const;
  wire::StopReason stop_reason() const;
  wire::Mode mode() const;
  /// The run's process id in the program's own process namespace; 0 if there is no run.
  std::int32_t run_process() const;
  wire::Client client() const;
  bool exit_seen() const { return control().exit_seen.load() != 0; }
  /// Processes that the program created since its start.
  std::uint32_t children() const { return control().children.load(); }
  /// Whether the batch ended because its last run left something behind.
  bool wrote() const;
  /// Of the batch; never more than it has runs.
  std::uint32_t runs_ended() const;
  /// Whether a runtime was ever connected.
  bool was_met() const;
  std::uint32_t version() const;
  std::uint32_t control_size() const;
  std::string why_direct() const;
  /// See run/notes.hpp.
  std::string notes() const;
  wire::LastWords last_words() const;

  wire::RunSlot run(std::uint32_t index) const;
  /// The current run, or the last one.
  wire::RunSlot current_run() const;
  /// All slots in use, and perhaps more.
  std::vector<wire::ThreadRecord> threads() const;
  wire::ThreadRecord thread(std::uint32_t slot) const;
  std::uint32_t current_slot() const;
  /// The thread that has the turn.
  wire::ThreadRecord current_thread() const { return thread(current_slot()); }

  /// What happened before the first thread.
  wire::Start start() const;
  std::uint64_t spin_entry() const;
  /// The question of a run that is stopped in a round.
  wire::Round round() const;
  /// Where the run stops for a debugger, and what it tells there.
  wire::DebuggerStop debugger_stop() const;
  /// The locks that threads held when the run last stopped for a debugger.
  std::vector<wire::HeldObject> held_objects() const;

  ChannelModules modules() const { return ChannelModules(*this); }
  SiteMaps site_maps() const;

  /// The first word since the last reset that the runtime cannot have written, such as "the number
  /// of modules"; empty if there is none.
  const std::string& damage() const { return damage_; }
  /// Checks that words which only the driver writes have not changed.
  void check_own_words() const;
  /// A caller found that words contradict each other.
  void note_damage(std::string_view what) const;

 private:
  friend class Channel;
  friend class ChannelModules;

  const wire::Control& control() const {
    return *wire::at<const wire::Control>(memory_, wire::Layout::kControl);
  }

  void* memory_;
  // What the driver wrote last, byte for byte.
  wire::Settings settings_;
  wire::Batch batch_;
  mutable std::string damage_;
};

}  // namespace unravel
