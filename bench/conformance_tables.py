"""What `conformance` prints of a suite: counts, then every test that did not pass, with a way to repeat it."""
import collections

from conformance_trials import FAILED, FAULT, HANG, NOT_BUILT, NOT_NATIVE, PASSED, SINGLE, TIMED, UNRESOLVED

BAD = (FAILED, FAULT, HANG)


def halves(rows, tests):
    """Tests of odd lines are looked into while faults are mended, those of even lines only counted."""
    odd = {test for line, test in enumerate(tests, 1) if line % 2 == 1}
    return {"odd lines": [row for row in rows if row["test"] in odd],
            "even lines": [row for row in rows if row["test"] not in odd]}


def count(rows):
    verdicts = collections.Counter(row["verdict"] for row in rows)
    native = len(rows) - verdicts[NOT_BUILT] - verdicts[NOT_NATIVE]
    return {"listed": len(rows), "built": len(rows) - verdicts[NOT_BUILT], "native": native,
            "single": verdicts[SINGLE], "threaded": native - verdicts[SINGLE], "passed": verdicts[PASSED],
            "unresolved": verdicts[UNRESOLVED], "timed": verdicts[TIMED], "failed": verdicts[FAILED],
            "faults": verdicts[FAULT], "hangs": verdicts[HANG]}


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def print_counts(name, figures):
    whole = figures["threaded"]
    print(f"{name:24}{figures['listed']:7}{figures['built']:7}{figures['native']:8}{figures['single']:8}{whole:10}"
          f"{figures['passed']:8} {share(figures['passed'], whole):>8}{figures['unresolved']:7} "
          f"{share(figures['unresolved'], whole):>7}{figures['timed']:7}{figures['failed']:8}{figures['faults']:8}"
          f"{figures['hangs']:7}", flush=True)


def print_header():
    print(f"\n{'suite':24}{'listed':>7}{'built':>7}{'native':>8}{'single':>8}{'threaded':>10}{'passed':>17}"
          f"{'unresolved':>15}{'timed':>7}{'failed':>8}{'faults':>8}{'hangs':>7}")


def print_reasons(title, reasons):
    if reasons:
        print(f"  {title}: " + "; ".join(f"{number} {why}" for why, number in reasons.most_common()))


def print_suite(name, rows, tests, unravel):
    print_header()
    print_counts(name, count(rows))
    for half, part in halves(rows, tests).items():
        print_counts(f"  {half}", count(part))
    print_reasons("not built", collections.Counter(row["why"] for row in rows if row["verdict"] == NOT_BUILT))
    print_reasons("unresolved", collections.Counter(row["reason"] for row in rows if row["verdict"] == UNRESOLVED))
    for row in rows:
        if row["verdict"] in (*BAD, TIMED, UNRESOLVED):
            bad = [run for run in row["runs"] if run["verdict"] not in (PASSED, SINGLE)]
            print(f"  {row['verdict']}: {row['test']} ({len(bad)} of {len(row['runs'])} schedules): "
                  f"{row['reason']}: {row['why']}")
            print(f"      cd $(mktemp -d) && {unravel} run {row['schedule']} -- {row['command']}")
    print(flush=True)
