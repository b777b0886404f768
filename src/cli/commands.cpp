/// The list of commands.
#include "cli/command.hpp"

namespace unravel {

std::unique_ptr<Command> make_run_command();
std::unique_ptr<Command> make_record_command();
std::unique_ptr<Command> make_hunt_command();
std::unique_ptr<Command> make_check_command();
std::unique_ptr<Command> make_simplify_command();
std::unique_ptr<Command> make_isolate_command();
std::unique_ptr<Command> make_replay_command();
std::unique_ptr<Command> make_list_command();
std::unique_ptr<Command> make_show_command();
std::unique_ptr<Command> make_diff_command();
std::unique_ptr<Command> make_query_command();
std::unique_ptr<Command> make_races_command();
std::unique_ptr<Command> make_doctor_command();

const std::vector<CommandEntry>& all_commands() {
  static const std::vector<CommandEntry> kCommands = {
      {"run", "run a program under control, once or many times", make_run_command},
      {"record", "run a program as it runs by itself, and keep its schedule", make_record_command},
      {"hunt", "look for a schedule under which a program fails", make_hunt_command},
      {"check", "try kept failures on the program as it is now: are they fixed?",
       make_check_command},
      {"simplify", "make a failing run as simple as it can be: fewer switches, the same failure",
       make_simplify_command},
      {"isolate", "find the switch that decides between passing and failing, to the point",
       make_isolate_command},
      {"replay", "run a kept run again, step for step", make_replay_command},
      {"list", "list the runs that were kept", make_list_command},
      {"show", "show a run as a table, one column per thread", make_show_command},
      {"diff", "show two runs of one program side by side", make_diff_command},
      {"query", "tell where every thread was at one clock of a kept run", make_query_command},
      {"races", "find accesses to the same memory that nothing orders, in a kept run or a program",
       make_races_command},
      {"doctor", "tell whether a program is controlled, and if not, why", make_doctor_command},
  };
  return kCommands;
}

}  // namespace unravel
