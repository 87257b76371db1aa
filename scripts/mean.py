"""Writes the mean of the weights of bots with the same layers, as a checkpoint.

    python scripts/mean.py BOT... --out FOLDER [--half]

What one bot was before a stage of training and what it is after lie in one valley of the loss, and their mean
is often better than both: it keeps what they agree on and halves what each has by chance (M. Wortsman et al.,
"Model soups", 2022, arXiv:2203.05482). The card, with what it counts, and the sieve are those of the last.
The mean of one bot alone is that bot: with --half, in a smaller file.
"""

import argparse
from pathlib import Path

import torch

from nardzero.game.errors import InvalidInput
from nardzero.model.checkpoint import load_model, new_folder, save_model
from nardzero.model.store import find


def main() -> None:
    """Read the bots, write their mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bots", nargs="+", metavar="BOT", help="a shipped bot, a checkpoint or a run")
    parser.add_argument("--out", type=Path, required=True, help="a folder that is not there yet")
    parser.add_argument(
        "--half", action="store_true", help="write weights in 16 bits, which takes half the room"
    )
    args = parser.parse_args()
    if args.out.exists():
        parser.error(f"{args.out} already exists")
    try:
        loaded = [load_model(find(bot)) for bot in args.bots]
    except InvalidInput as fault:
        parser.error(str(fault))
    net, sieve, last = loaded[-1]
    weights = [one.net.state_dict() for one in loaded]
    shapes = [{name: tensor.shape for name, tensor in each.items()} for each in weights]
    if any(each != shapes[-1] for each in shapes):
        parser.error("the bots must have the same layers")
    net.load_state_dict({name: torch.stack([w[name] for w in weights]).mean(0) for name in weights[-1]})
    card = last | ({"mean_of": args.bots} if len(args.bots) > 1 else {})
    with new_folder(args.out) as folder:
        save_model(folder, net, card, sieve, torch.float16 if args.half else torch.float32)
    print(f"saved {args.out}")


if __name__ == "__main__":
    main()
