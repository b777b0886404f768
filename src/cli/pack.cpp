/// `unravel pack`: writes a run into one file, which can be taken elsewhere.
#include "investigate/pack.hpp"

#include "cli/command.hpp"
#include "cli/flags.hpp"

namespace unravel {

namespace {

class PackCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    add_run_name(app, request_.run);
    option(app, "-o,--output", request_.file, "the file to write, such as failure.unravel")
        ->type_name("FILE");
    option(app, "--with-environment", request_.variables,
           "pack these variables of the environment (default: none)")
        ->type_name("NAME,…")
        ->delimiter(',');
    flag(app, "--with-program", request_.with_program,
         "pack the program and its shared libraries, too");
    flag(app, "--force", request_.replaces, "replace the file if it exists");
    app.footer(
        "Examples:\n  unravel pack -o failure.unravel\n"
        "  unravel pack 3fa -o failure.unravel --with-environment LANG,TZ --with-program\n"
        "  unravel replay failure.unravel      there\n\n"
        "The file has what the program read, printed and was started with: it may be secret.\n"
        "Commands take it where they take RUN. They never write to a path that is in it.");
  }

  Result<void> check() override {
    if (request_.file.empty()) {
      return user_error("no file was named", "`unravel pack` writes a run into a file",
                        "for example: unravel pack -o failure.unravel");
    }
    for (const std::string& name : request_.variables) {
      if (!name.empty() && name.find('=') == name.npos) continue;
      return user_error("'" + name + "' is not the name of a variable",
                        "the values are those of the recorded run", "for example: LANG,TZ");
    }
    return {};
  }

  Result<int> run(const CommandContext& context) override {
    request_.store = context.store;
    const Result<PackedReport> report = pack(request_);
    if (!report) return fail(report.error());
    context.reporter.packed(*report);
    for (const std::string& name : report->loader_variables) {
      context.reporter.warn(name +
                            " was left out: elsewhere the program may not find its libraries");
    }
    return kNoFailure;
  }

 private:
  PackRequest request_;
};

}  // namespace

std::unique_ptr<Command> make_pack_command() { return std::make_unique<PackCommand>(); }

}  // namespace unravel
