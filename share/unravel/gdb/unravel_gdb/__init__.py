"""The parts of unravel's script for gdb."""
