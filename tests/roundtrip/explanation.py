"""What simplify and isolate say of a failure: is it true, and is it about the bug?"""
import re

# The order by which one run is simpler than another.
COST = ("switches", "preemptions", "threads", "steps")


def problems_of_simplified(run, simplified):
    """In words; empty if it is what was asked for."""
    before, after = simplified["before"], simplified["after"]
    found = [f"simplified from {before[part]} {part}, but run {run['run']} has {run[part]}"
             for part in COST if before[part] != run[part]]
    if simplified["from"] != run["run"]:
        found.append(f"simplified from run {simplified['from']} instead of {run['run']}")
    if [after[part] for part in COST] > [before[part] for part in COST]:
        found.append(f"not simpler: {before} became {after}")
    for side in (before, after):
        if side["forced"] + side["preemptions"] != side["switches"]:
            found.append(f"switches that are neither forced nor preemptions: {side}")
    if len(simplified["preempted_at"]) != after["preemptions"]:
        found.append(f"{len(simplified['preempted_at'])} preemptions are named, "
                     f"{after['preemptions']} are counted")
    return found


def is_in(functions, stack):
    """Whether one of these functions is on the stack, or a lambda in it. Template arguments do not
    count: std::thread's name what it runs, wherever the thread stands."""
    for frame in stack or ():
        name, before = frame["function"] or "", None
        while name != before:
            before, name = name, re.sub(r"<[^<>]*>", "", name)
        if any(re.search(rf"\b{re.escape(function)}\b", name) for function in functions):
            return True
    return False


def place(site):
    if not site:
        return "a place without a name"
    where = f" {site['file'].rsplit('/', 1)[-1]}:{site['line']}" if site["file"] else ""
    return f"{site['function'] or site['module']}{where}"


def places_elsewhere(functions, simplified, isolated):
    """What of the explanation is in none of the functions with the bug, in words."""
    found = [f"T{one['from']} is preempted at {place(one['site'])}"
             for one in simplified["preempted_at"] if not is_in(functions, one["stack"])]
    differences = isolated["differences"] if isolated else []
    if differences and not any(is_in(functions, one[side]) for one in differences
                               for side in ("passing_stack", "failing_stack")):
        found += [f"switch {one['switch']} decides, which fails at {place(one['failing_site'])} and "
                  f"passes at {place(one['passing_site'])}" for one in differences]
    return found


def names_a_place(simplified, isolated):
    """Where no thread is preempted and no switch decides there is none to name."""
    return bool(simplified["preempted_at"] or (isolated and isolated["differences"]))
