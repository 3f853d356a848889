"""Training on files of rows, for a number of minutes that may be spread over calls:

    train.py OUT ROWS --minutes M [--call-minutes C] ...

ROWS.train is learned from, ROWS.held judges. OUT is a folder: state.0 ... (the checkpoint, written every
minute), log.csv, curve.svg and the network. Called again it goes on from the checkpoint until M minutes of
training are over in all; C ends a single call earlier. The learning rate follows the share of M that is
over: a run that is to end sooner is given a smaller M; with M 0 it is what loading and compiling leave of C."""
# No PyTorch here: --help works without it.
import argparse


def parser():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("rows")
    p.add_argument("--minutes", type=float, required=True)
    p.add_argument("--call-minutes", type=float, default=1e9,
                   help="wall clock of this call, from its start")
    p.add_argument("--blocks", type=int, default=10)
    p.add_argument("--channels", type=int, default=128)
    p.add_argument("--batch", type=int, default=2048)
    p.add_argument("--optimizer", choices=["muon", "adamw", "sgd"], default="muon")
    p.add_argument("--rate", type=float, default=4e-3)
    p.add_argument("--weight-decay", type=float, default=0.02)
    p.add_argument("--ema-steps", type=int, default=1500,
                   help="steps that the average of the weights looks back")
    p.add_argument("--warmup", type=float, default=0.02, help="share of the run")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--device", help="cuda where there is one, else cpu")
    p.add_argument("--no-compile", action="store_true")
    p.add_argument("--graphs", action="store_true", help="record steps as CUDA graphs")
    p.add_argument("--report-s", type=float, default=30, help="seconds between lines of the log")
    p.add_argument("--save-s", type=float, default=60, help="seconds between checkpoints")
    p.add_argument("--held", type=int, default=32768, help="held-out positions for each line")
    p.add_argument("--most-loss", type=float, default=1e9,
                   help="give up (exit status 3) if the loss of moves is larger ...")
    p.add_argument("--most-loss-after", type=float, default=120, help="... after so many seconds")
    return p
