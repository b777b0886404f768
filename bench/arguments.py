"""What the command lines of benchmarks are made of."""
import argparse


def count_of(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 up, not '{text}'")
    return int(text)
