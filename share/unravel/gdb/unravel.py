"""Commands of gdb for a run that unravel has recorded.

unravel open [RUN]          opens a stored run: an id or its beginning; without it, the latest failure
unravel where               where the run is: step, thread, clock, next switch
unravel goto PLACE          goes to a place, forwards or backwards:
                              4711          where the run passes its 4711th point
                              T1:12+3       a clock of a thread
                              start, end    the first and the last point
                              failure       where it fails
                              critical      the switch that decides
                              FILE:LINE#N   the Nth time that a thread comes to a line
unravel step [N]            goes N points on
unravel back [N]            goes N points back
unravel switch [-]          goes to the next switch between threads, or to the previous one
unravel threads             every thread: who can run, who waits for what, and where it is
unravel reverse-continue    goes back to the last hit of a breakpoint or watchpoint before here
unravel last-write EXPR     goes back to where EXPR got its value
unravel diff [RUN]          which values differ in the passing run, at the same place
unravel table               the interleaving around here
unravel close               ends the session

The schedule of the run is fixed: breakpoints, watchpoints, single steps and printing do not change it.
"""
import os
import sys

import gdb

if sys.version_info[0] < 3:
    raise gdb.GdbError("unravel needs a gdb with Python 3")

sys.dont_write_bytecode = True  # where it is installed may be read only
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from unravel_gdb import commands  # noqa: E402

commands.register(__doc__, os.path.abspath(__file__))
