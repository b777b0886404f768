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
std::unique_ptr<Command> make_predict_command();
std::unique_ptr<Command> make_doctor_command();
std::unique_ptr<Command> make_pack_command();

const std::vector<CommandEntry>& all_commands() {
  static const std::vector<CommandEntry> kCommands = {
      {"run", "run a program under control, once or many times", make_run_command},
      {"record", "run a program roughly as it runs natively, and store its schedule",
       make_record_command},
      {"hunt", "look for a schedule under which a program fails", make_hunt_command},
      {"check", "check whether stored failures are fixed in the current program",
       make_check_command},
      {"simplify", "reduce a failing run: fewer switches, the same failure", make_simplify_command},
      {"isolate", "find the switch that decides between passing and failing", make_isolate_command},
      {"replay", "repeat a stored run, step by step", make_replay_command},
      {"list", "list the stored runs", make_list_command},
      {"show", "show a run as a table, one column per thread", make_show_command},
      {"diff", "show two runs of one program side by side", make_diff_command},
      {"query", "show where every thread was at one clock of a stored run", make_query_command},
      {"races", "find data races in a stored run or in new runs of a program", make_races_command},
      {"predict", "predict bugs from a run that passed, and prove each by running it",
       make_predict_command},
      {"pack", "write a run into one file that can be replayed elsewhere", make_pack_command},
      {"doctor", "check whether unravel controls a program, and if not, say why",
       make_doctor_command},
  };
  return kCommands;
}

}  // namespace unravel
