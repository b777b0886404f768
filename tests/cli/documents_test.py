"""What the documents show is what the commands print. To accept a change that was looked at, run this test with
UNRAVEL_ACCEPT=1; then read what the documents say around it."""
import os
import pathlib
import re
import subprocess
import unittest

from support import CommandTest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def without_names(text):
    """Ids of runs, times and folders differ from one time to the next."""
    return re.sub(r"\d[\d.e-]* s\b|(replay|show|isolate|diff)( --run)? [0-9a-f]{6}( [0-9a-f]{6})?|run [0-9a-f]{6}"
                  r"|/.*/examples/|seed \d+", "…", text)


def accept(page, shown, printed):
    """Puts what was printed into a page, if that is asked for."""
    if os.environ.get("UNRAVEL_ACCEPT"):
        printed = re.sub(r"/.*/examples/", "/home/you/examples/", printed)
        page.write_text(page.read_text().replace(shown, printed))


class Documents(CommandTest):
    def build_example(self, name):
        source = next((ROOT / "examples").glob(f"{name}.*"))
        compiler = ["gcc"] if source.suffix == ".c" else ["g++", "-std=c++20"]
        subprocess.run([*compiler, "-g", "-pthread", source, "-o", self.folder / name], check=True)
        return source

    def test_readme_shows_the_table_of_the_first_example(self):
        readme = (ROOT / "README.md").read_text()
        shown = re.search(r"<!-- output: show .*? -->\n```\n(.*?)```", readme, re.DOTALL)[1]
        seed = re.search(r"--seed (\d+)", readme)[1]
        self.build_example("01-lost-update")
        self.environment["COLUMNS"] = "100"

        found = self.tool("hunt", "--jobs", "1", "--seed", seed, "--", "./01-lost-update")

        self.assertEqual(found.status, 1, found)
        accept(ROOT / "README.md", shown, found.err)
        self.assertIn(without_names(shown.rstrip()), without_names(found.err))

    def test_pages_show_the_first_example_simplified_and_isolated(self):
        self.build_example("01-lost-update")
        self.environment["COLUMNS"] = "100"
        self.check(self.tool("hunt", "--find-only", "--jobs", "1", "--seed", "1", "--",
                             "./01-lost-update"), 1)
        for command in ("simplify", "isolate"):
            page = (ROOT / "docs" / f"{command}.md").read_text()
            shown = re.search(r"<!-- output: .*? -->\n```\n(.*?)```", page, re.DOTALL)[1]
            done = self.tool(command, "--jobs", "1")
            self.check(done, 0)
            accept(ROOT / "docs" / f"{command}.md", shown, done.err)
            self.assertEqual(without_names(done.err), without_names(shown))

    def test_the_page_about_packed_runs_shows_the_first_example(self):
        self.build_example("01-lost-update")
        self.check(self.tool("hunt", "--find-only", "--jobs", "1", "--seed", "1", "--",
                             "./01-lost-update"), 1)
        page = ROOT / "docs" / "pack.md"
        shown = re.search(r"<!-- output: .*? -->\n```\n(.*?)```", page.read_text(), re.DOTALL)[1]
        done = self.tool("pack", "-o", "failure.unravel")
        self.check(done, 0)
        again = self.tool("replay", "failure.unravel")
        self.check(again, 1)
        printed = ("$ unravel pack -o failure.unravel\n" + done.out +
                   "$ unravel replay failure.unravel\n" + again.err)

        def normal(text):
            return re.sub(r"\d+ (bytes|KiB|variables)", r"… \1", without_names(text))
        accept(page, shown, printed)
        self.assertEqual(normal(shown), normal(printed))
        readme = (ROOT / "README.md").read_text()
        shown = re.search(r"<!-- output: pack .*? -->\n```\n(.*?)```", readme, re.DOTALL)[1]
        self.assertEqual(normal(shown), normal(printed[:printed.index("$ unravel replay")]))

    def test_readme_shows_the_accesses_of_the_plain_counter(self):
        readme = (ROOT / "README.md").read_text()
        text, shown = re.search(r"(    \$ gcc -g -fsanitize=thread .*?)<!-- output: accesses .*? -->\n"
                                r"```\n(.*?)```", readme, re.DOTALL).groups()
        compile_it, find_it, found_at, show_it = (line.strip() for line in text.strip().split("\n"))
        command = compile_it.removeprefix("$ ").replace("examples/", f"{ROOT}/examples/")
        subprocess.run(command, shell=True, check=True, cwd=self.folder)
        self.environment["COLUMNS"] = "100"

        found = self.tool(*find_it.removeprefix("$ unravel ").split())
        table = self.tool(*show_it.removeprefix("$ unravel ").split())

        self.assertEqual(found.status, 1, found)
        self.assertIn(found_at, found.err)
        self.assertIn(shown, table.out)

    def test_races_page_shows_the_race_of_the_plain_counter(self):
        page = (ROOT / "docs" / "races.md").read_text()
        text, shown = re.search(r"(    \$ gcc .*?)<!-- output: races .*? -->\n```\n(.*?)```", page,
                                re.DOTALL).groups()
        compile_it, find_it = (line.strip() for line in text.strip().split("\n"))
        command = compile_it.removeprefix("$ ").replace("examples/", f"{ROOT}/examples/")
        subprocess.run(command, shell=True, check=True, cwd=self.folder)

        found = self.tool(*find_it.removeprefix("$ unravel ").split())

        def without_time(text):
            return re.sub(r"\d+\.\d+ s", "0.00 s", text)
        self.assertEqual(found.status, 1, found)
        self.assertEqual(without_time(found.out.replace(f"{ROOT}/", "")), without_time(shown))

    def check_predictions(self, page, example, folder):
        """Builds and predicts as the page says. `folder` has the program, and is not shown."""
        mark = f"<!-- output: predict {example} -->\n```\n"
        commands, shown = re.search(rf"((?:    \$ [^\n]*\n){{2}})\n{re.escape(mark)}(.*?)```", page.read_text(),
                                    re.DOTALL).groups()
        compile_it, find_it = (line.strip().removeprefix("$ ") for line in commands.strip().split("\n"))
        compile_it = compile_it.replace("examples/", f"{ROOT}/examples/")
        subprocess.run(compile_it, shell=True, check=True, cwd=self.folder)

        found = self.tool(*find_it.removeprefix("unravel ").split())

        self.assertEqual(found.status, 1, found)
        printed = found.out.replace(f"{folder}/", "")
        accept(page, mark + shown, mark + printed)
        self.assertEqual(without_names(printed), without_names(shown))

    def test_readme_shows_the_prediction_of_the_first_example(self):
        self.check_predictions(ROOT / "README.md", "01-lost-update.cpp", ROOT)

    def test_predict_page_shows_the_predictions_of_its_program(self):
        page = ROOT / "docs" / "predict.md"
        self.source("two-reads.c", re.search(r"```c\n(.*?)```", page.read_text(), re.DOTALL)[1])
        self.check_predictions(page, "two-reads.c", self.folder)

    def test_diff_page_shows_the_first_example_beside_a_run_that_passes(self):
        page = (ROOT / "docs" / "diff.md").read_text()
        text, shown = re.search(r"(    \$ unravel hunt .*?)<!-- output: diff .*? -->\n```\n(.*?)```", page,
                                re.DOTALL).groups()
        find_it, pass_it, _ = (line.strip().removeprefix("$ unravel ").split()
                               for line in text.strip().split("\n"))
        self.build_example("01-lost-update")
        self.environment["COLUMNS"] = "110"

        left = self.tool(find_it[0], "--json", *find_it[1:])
        right = self.tool(pass_it[0], "--json", *pass_it[1:])
        found = self.tool("diff", "--run", left.json()["failures"][0]["run"], right.json()["run"])

        accept(ROOT / "docs" / "diff.md", shown, found.out)
        # Before the steps are ids and times.
        self.assertEqual(found.status, 0, found)
        self.assertEqual(found.out.split("\n\n")[2:], shown.split("\n\n")[2:], found)

    def test_every_example_is_found_by_the_command_in_its_head(self):
        for name in ("01-lost-update", "02-lock-order", "03-missed-signal"):
            with self.subTest(name):
                source = self.build_example(name)
                options = re.search(r"unravel hunt (.*) -- ", source.read_text())[1].split()

                found = self.tool("hunt", *options, "--", f"./{name}")

                self.assertEqual(found.status, 1, found)


if __name__ == "__main__":
    unittest.main()
