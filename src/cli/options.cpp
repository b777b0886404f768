#include "cli/options.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "cli/option_parts.hpp"
#include "report/table.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

constexpr const char* kVersion = "unravel 0.1.0";

constexpr const char* kExamples = R"(Examples:
  unravel hunt -- ./prog                  look for a schedule under which it fails
  unravel record -- ./prog                run it as it runs by itself, and keep the schedule
  unravel replay                          run the latest failure again, step for step
  unravel check                           is what failed before fixed by now?
  unravel show                            show it as a table, one column per thread
  unravel diff 3fa 90c                    two runs side by side: where do they part?
  unravel query --at T1:12                where every thread was at that moment of it
  unravel races -- ./prog                 which accesses does nothing order?
  unravel doctor -- ./prog                is it controlled, and if not, why?
  unravel run --schedule u1.… -- ./prog   follow a schedule from a bug report

Every option can also be set in the environment, such as UNRAVEL_STORE for --store.
Exit status: 0 no failure, 1 failure, 2 nothing was tested, or something is wrong with the
command, the machine or the schedule, 3 a fault of unravel's own.)";

constexpr const char* kCommands[] = {"run",     "record", "hunt",  "check", "simplify",
                                     "isolate", "replay", "list",  "show",  "diff",
                                     "query",   "races",  "doctor"};

void add_following(CLI::App& app, ParsedFlags& flags) {
  CLI::Option* strict =
      flag(app, "--strict", flags.strict, "the first mismatch with the schedule is a divergence");
  flag(app, "--lenient", flags.lenient, "follow the schedule as far as that is possible")
      ->excludes(strict);
}

void add_keep_files(CLI::App& app, std::string& directory) {
  option(app, "--keep-files", directory,
         "copy what the failing run wrote there: a directory that is new or empty")
      ->type_name("DIR");
}

/// What every command takes that runs a program and keeps the run.
void add_program(CLI::App& command, ParsedFlags& flags) {
  flag(command, "--no-fork", flags.no_fork, "start the program anew for each run");
  add_no_sandbox(command, flags);
  add_keep_files(command, flags.run.keep_files);
  add_judge(command, flags.run.judge, flags);
  add_common(command, flags.line.common);
  command.add_option("program", flags.run.program, "the program and its arguments, after --")
      ->type_name("-- PROG ARGS");
}

void add_run(CLI::App& app, ParsedFlags& flags) {
  CLI::App* run = app.add_subcommand("run", "run a program under control, once or many times");
  RunOptions& options = flags.run;
  option(*run, "--schedule", options.schedule, "follow this schedule: its string, or a file")
      ->type_name("S");
  add_following(*run, flags);
  named(
      option(*run, "--rule", options.rule,
             "who takes the steps that no schedule names: stay, random or priority"),
      std::vector<std::pair<std::string, wire::RuleKind>>{{"stay", wire::RuleKind::kStay},
                                                          {"random", wire::RuleKind::kRandom},
                                                          {"priority", wire::RuleKind::kPriority}});
  number(*run, "--seed", options.seed, "of the rule; a new one each time if left out", 0);
  option(*run, "--probability", options.probability,
         "of a switch at a point, for the random rule; drawn from the seed if left out")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0).description(""));
  number(*run, "--runs", options.runs, "try this many seeds, stop at the first failure", 1);
  add_program(*run, flags);
  run->footer(
      "Example:\n  unravel run --rule random --runs 1000 -- ./prog --its-own-option\n\n"
      "A failure is replayed three times before it is reported, and kept: see `unravel show`.\n"
      "Exit status: 0 no failure, 1 failure, 2 nothing was tested: no run was resolved, or no\n"
      "second thread was started.");
}

void add_record(CLI::App& app, ParsedFlags& flags) {
  CLI::App* record =
      app.add_subcommand("record", "run a program as it runs by itself, and keep its schedule");
  option(*record, "--tick", flags.tick,
         "how long a thread runs until another gets its turn (default: 10ms)")
      ->type_name("TIME");
  add_program(*record, flags);
  record->footer(
      "Example:\n  unravel record --tick 5ms -- ./prog --its-own-option\n\n"
      "A thread is preempted at its first point after a tick; threads take turns in the order in\n"
      "which they became able to run.");
}

void add_replay(CLI::App& app, ParsedFlags& flags) {
  CLI::App* replay = app.add_subcommand("replay", "run a kept run again, step for step");
  replay->add_option("run", flags.replay.run, "its id or the beginning of it; the latest failure")
      ->type_name("RUN");
  add_following(*replay, flags);
  add_keep_files(*replay, flags.replay.keep_files);
  flag(*replay, "--trace", flags.trace, "keep a trace of every memory access beside the run");
  flag(*replay, "--values", flags.values, "with --trace: what was read and written, too");
  option(*replay, "--window", flags.window, "with --trace: from one clock of a thread to another")
      ->type_name("T1:3..T1:20");
  named(
      option(*replay, "--environment", flags.replay.environment,
             "run it in the environment, umask and limits that were recorded, or in those of now: "
             "recorded or now (default: recorded)"),
      std::vector<std::pair<std::string, EnvironmentOf>>{{"recorded", EnvironmentOf::kRecording},
                                                         {"now", EnvironmentOf::kNow}});
  add_judge(*replay, flags.replay.judge, flags);
  add_common(*replay, flags.line.common);
  replay->footer(
      "Examples:\n  unravel replay\n  unravel replay 3fa --lenient      after a rebuild");
}

void add_list(CLI::App& app, ParsedFlags& flags) {
  CLI::App* list = app.add_subcommand("list", "list the runs that were kept");
  add_common(*list, flags.line.common);
}

void add_show(CLI::App& app, ParsedFlags& flags) {
  CLI::App* show = app.add_subcommand("show", "show a run as a table, one column per thread");
  show->add_option("run", flags.show.run, "its id or the beginning of it; the latest failure")
      ->type_name("RUN");
  option(*show, "--rows", flags.rows, "how many operations: all, or the last N (default: 40)")
      ->type_name("all|N");
  named(option(*show, "--format", flags.show.format,
               "table, or std: every event of the run, as tools that analyse traces read it"),
        std::vector<std::pair<std::string, ShowOptions::Format>>{
            {"table", ShowOptions::Format::kTable}, {"std", ShowOptions::Format::kStd}});
  flag(*show, "--run", flags.show.runs, "run its program once more for what was not kept");
  add_common(*show, flags.line.common);
  show->footer(
      "Examples:\n  unravel show\n  unravel show 3fa --rows all\n\n"
      "Without --run it only reads the store: a run that passed has no table until it is run "
      "again.");
}

void add_query(CLI::App& app, ParsedFlags& flags) {
  CLI::App* query =
      app.add_subcommand("query", "tell where every thread was at one moment of a kept run");
  query->add_option("run", flags.query.run, "its id or the beginning of it; the latest failure")
      ->type_name("RUN");
  option(*query, "--at", flags.at, "a thread's clock, as in the first column of `unravel show`")
      ->type_name("CLOCK");
  add_common(*query, flags.line.common);
  query->footer(
      "Examples:\n  unravel query --at T1:12\n  unravel query 3fa --at T1:12+37\n\n"
      "T1:12 is right after the twelfth operation of T1, T1:12+1 its first hook after that, or\n"
      "right before its next operation.");
}

void add_races(CLI::App& app, ParsedFlags& flags) {
  CLI::App* races = app.add_subcommand(
      "races", "find accesses to the same memory that nothing orders, in a kept run or a program");
  RacesOptions& options = flags.races;
  races->add_option("run", options.run, "its id or the beginning of it; the latest failure")
      ->type_name("RUN");
  number(*races, "--runs", options.runs, "look at this many runs of a program (default: 10)", 1);
  number(*races, "--seed", options.seed, "of their schedules (default: 1)", 0);
  option(*races, "--suppressions", options.suppressions,
         "a file: what is known, by lines such as function:NAME, file:NAME and variable:NAME")
      ->type_name("FILE");
  number(*races, "--max-steps", options.judge.most_steps, "look at no more steps of a run", 1);
  option(*races, "--timeout", flags.timeout,
         "how long a run may compute or stand still: 500ms, 10s, 2m")
      ->type_name("TIME");
  add_common(*races, flags.line.common);
  races->footer(
      "Examples:\n  unravel races -- ./prog\n  unravel races 3fa\n\n"
      "Exit status: 0 no race, 1 races were found.");
}

void add_doctor(CLI::App& app, ParsedFlags& flags) {
  CLI::App* doctor =
      app.add_subcommand("doctor", "tell whether a program is controlled, and if not, why");
  DoctorOptions& options = flags.doctor;
  number(*doctor, "--runs", options.runs, "run one schedule this many times (default: 5)", 2);
  number(*doctor, "--seed", options.seed, "of the schedule (default: 1)", 0);
  number(*doctor, "--max-steps", options.judge.most_steps, "look at no more steps of a run", 1);
  option(*doctor, "--timeout", flags.timeout,
         "how long a run may compute or stand still: 500ms, 10s, 2m")
      ->type_name("TIME");
  option(*doctor, "--later", flags.later,
         "repeat it once more after this time, to see what changes with time; 0: do not "
         "(default: 20s)")
      ->type_name("TIME");
  add_common(*doctor, flags.line.common);
  doctor->add_option("program", options.program, "the program and its arguments, after --")
      ->type_name("-- PROG ARGS");
  doctor->footer(
      "Example:\n  unravel doctor -- ./prog --its-own-option\n\n"
      "Exit status: 0 controlled, 1 something differed or is not controlled.");
}

std::string in_our_tone(std::string message) {
  if (!message.empty()) {
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  }
  return message;
}

/// An option that the command does not have: ours misspelt, or the program's in the wrong place.
Error unknown_option(const CLI::App& command, const std::vector<std::string>& arguments,
                     const std::vector<std::string>& program) {
  const auto left = command.remaining();
  const auto found = std::find_if(left.begin(), left.end(),
                                  [](const std::string& text) { return text.starts_with("-"); });
  const std::string help = "`unravel " + command.get_name() + " --help` shows what there is";
  if (found == left.end()) {
    return {Error::Kind::kUser,
            "'" + (left.empty() ? "" : left.front()) + "' is not expected",
            {},
            help};
  }
  const auto place = std::find(arguments.begin(), arguments.end(), *found);
  if (!program.empty() && std::find(arguments.begin(), place, program.front()) != place) {
    return {Error::Kind::kUser, "`unravel " + command.get_name() + "` has no option " + *found,
            "what belongs to the program comes after --",
            "unravel " + command.get_name() + " -- " + program.front() + " " + *found};
  }
  std::vector<std::string> names;
  for (const CLI::Option* known : command.get_options()) {
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  }
  const std::string guess = nearest(found->substr(0, found->find('=')), names);
  return {Error::Kind::kUser,
          "unknown option " + *found + (guess.empty() ? "" : ", did you mean " + guess + "?"),
          {},
          help};
}

/// What stands before any command: only options that end there.
Result<void> check_first(const std::string& argument) {
  if (!argument.starts_with("-")) return check_command(argument, kCommands);
  if (argument == "-h" || argument == "--help" || argument == "--version") return {};
  return user_error(
      "option " + argument + " comes before any command", {},
      "write `unravel COMMAND " + argument + "`; `unravel --help` lists the commands");
}

}  // namespace

Result<std::variant<CommandLine, Text>> parse(int argc, const char* const* argv) {
  // What stands behind `--` is the program's, whatever it looks like.
  std::vector<std::string> ours(argv + std::min(argc, 1), argv + argc);
  std::vector<std::string> program;
  if (const auto dashes = std::find(ours.begin(), ours.end(), "--"); dashes != ours.end()) {
    program.assign(dashes + 1, ours.end());
    ours.erase(dashes, ours.end());
  }
  if (!ours.empty()) {
    const Result<void> known = check_first(ours[0]);
    if (!known) return fail(known.error());
  }

  ParsedFlags flags;
  CLI::App app("Finds, replays and explains concurrency bugs by controlling thread scheduling.");
  app.name("unravel");
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  app.footer(kExamples);
  add_run(app, flags);
  add_record(app, flags);
  add_hunt(app, flags);
  add_check(app, flags);
  add_simplify(app, flags);
  add_isolate(app, flags);
  add_replay(app, flags);
  add_list(app, flags);
  add_show(app, flags);
  add_diff(app, flags);
  add_query(app, flags);
  add_races(app, flags);
  add_doctor(app, flags);
  if (ours.empty()) return Text{app.help()};

  const std::string command = ours[0];
  try {
    // CLI11 takes them from the back.
    app.parse(std::vector<std::string>(ours.rbegin(), ours.rend()));
  } catch (const CLI::CallForVersion&) {
    return Text{std::string(kVersion) + "\n"};
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return Text{chosen.empty() ? app.help() : chosen[0]->help("unravel") + "\n"};
  } catch (const CLI::ExtrasError& error) {
    const auto chosen = app.get_subcommands();
    if (chosen.empty()) return user_error(in_our_tone(error.what()));
    return fail(unknown_option(*chosen[0], ours,
                               command == "doctor" ? flags.doctor.program
                               : command == "hunt" ? flags.hunt.program
                                                   : flags.run.program));
  } catch (const CLI::ParseError& error) {
    return user_error(in_our_tone(error.what()), {},
                      "`unravel " + command + " --help` shows what there is");
  }
  Result<CommandLine> line = to_command(command, flags, program);
  if (!line) return fail(line.error());
  return std::move(*line);
}

}  // namespace unravel
