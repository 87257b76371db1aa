"""The configuration of a training run: frozen dataclasses, a line of documentation under every field.

A TOML file states only what differs from the defaults; `--set section.field=value` overrides both.
"""

import ast
import dataclasses
import inspect
import textwrap
import tomllib
import types
import typing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from nardzero.game.errors import InvalidInput
from nardzero.game.rules import RULESETS
from nardzero.model.encoding import ENCODINGS
from nardzero.model.store import shipped

DEVICES = ("cpu", "cuda", "auto")
PARTS = ("all", "net", "cube", "sieve")
PRECISIONS = ("float32", "bfloat16", "auto")


class ConfigError(InvalidInput):
    """A configuration that cannot be used; the message says what is accepted."""


def _require(holds: bool, name: str, wanted: str, value: object) -> None:
    if not holds:
        raise ConfigError(f"{name} must be {wanted}, not {value!r}")


def _one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    _require(value in allowed, name, f"one of {', '.join(allowed)}", value)


@dataclass(frozen=True)
class NetConfig:
    """The value network."""

    hidden: tuple[int, ...] = (128, 64)
    """Widths of the hidden layers; the first is a lookup and almost free."""
    encoding: str = "tesauro208"
    """How a board is presented to the net."""
    cube: bool = False
    """Whether the net learns cubeful equities too: three outputs beside the six outcomes. A young or small
    net loses a little strength by it, so let it come last, with train.start_from."""
    cube_hidden: tuple[int, ...] = ()
    """Hidden widths of the cube head, which then sees the outcome probabilities as well and learns what the
    cube adds to the cubeless equity; empty for a linear head."""
    sieve: tuple[int, ...] = ()
    """Hidden widths of a small net that learns beside and sorts out plays before the net judges the rest;
    empty for none. Worth it for wide nets."""

    def __post_init__(self) -> None:
        of_nets = ("hidden", self.hidden), ("sieve", self.sieve), ("cube_hidden", self.cube_hidden)
        for name, widths in of_nets:
            fits = all(0 < width <= 8192 for width in widths)
            _require(fits, f"net.{name}", "a list of widths from 1 to 8192", list(widths))
        _require(bool(self.hidden), "net.hidden", "a list of widths, at least one", list(self.hidden))
        _one_of("net.encoding", self.encoding, list(ENCODINGS))


@dataclass(frozen=True)
class SelfPlayConfig:
    """How games are played to learn from."""

    rules: str = "standard"
    """The ruleset."""
    games_at_once: int = 1024
    """Games played in lockstep; fewer cost more time a game, more learn less often. Several processes share
    them."""
    window: int = 32
    """Plies of every game between two rounds of learning."""
    sieve_margin: float = 0.15
    """How far below the best of its game, in points, the sieve may rank a play that the net still judges."""
    sieve_most: int = 0
    """How many plays of each roll the sieve leaves at most in exact backups; 0 for any number."""
    hard_starts: float = 0.0
    """The share of games that begin in a back game or a prime that came up in others, instead of at the
    start."""
    exact_endings: bool = False
    """Whether bear-offs of at most six checkers a side are judged by the exact table instead of the net: they
    are then played perfectly, and what comes before learns from exact chances and cubeful equities."""
    cube: bool = False
    """Whether games have a cube, and plays are chosen by the equity with it where it is, instead of the
    cubeless one. Wants net.cube, by which both sides double, take and pass; a game that is passed goes on
    without the cube."""
    averaged: bool = False
    """Whether the averaged weights play and give the targets, instead of the newest."""

    def __post_init__(self) -> None:
        _one_of("selfplay.rules", self.rules, list(RULESETS))
        _require(self.games_at_once > 0, "selfplay.games_at_once", "at least 1", self.games_at_once)
        _require(self.window > 0, "selfplay.window", "at least 1", self.window)
        _require(self.sieve_margin >= 0, "selfplay.sieve_margin", "0 or more", self.sieve_margin)
        _require(self.sieve_most >= 0, "selfplay.sieve_most", "0 or more", self.sieve_most)
        _require(0 <= self.hard_starts <= 1, "selfplay.hard_starts", "from 0 to 1", self.hard_starts)


@dataclass(frozen=True)
class LearnConfig:
    """TD(λ) and the optimiser. Schedules follow the share of train.games that has been played."""

    lambda_start: float = 1.0
    """λ of the λ-returns at the start."""
    lambda_end: float = 0.0
    """λ after the fall."""
    lambda_until: float = 0.3
    """The share of training over which λ falls, in a straight line."""
    exact_backups: bool = False
    """Whether targets are means over all 21 rolls instead of λ-returns of the one that came: some five times
    the work a game, without the noise of the dice; for the last stage."""
    pairs: bool = False
    """Whether the best play of a roll is learned together with another one that is close, if there is one,
    both from exact backups, and beside what each is worth, by how much they differ: which is what plays are
    chosen by. learn.batch then counts pairs."""
    pair_weight: float = 2.0
    """How much the squared error of the difference between the equities of a pair counts, beside the
    cross-entropy."""
    rate_start: float = 1e-3
    """Adam's learning rate at the start."""
    rate_end: float = 2e-5
    """The learning rate at the end of training."""
    rate_hold: float = 0.0
    """The share of training after which the learning rate begins its geometric fall."""
    centred: bool = False
    """Whether every layer learns as if its inputs were centred and scaled; bears twice the rate."""
    batch: int = 512
    """Positions a gradient step; several processes share them."""
    epochs: int = 1
    """How often each position of a window is learned from."""
    replay: int = 1
    """How many of the newest windows positions are drawn from, as many an epoch as a window has; more than 1
    is for exact backups, which are dear and free of noise, with more epochs."""
    cube_weight: float = 0.2
    """How much the cubeful equities count: half the squared error of the three, beside the cross-entropy."""
    part: str = "all"
    """What learns of a bot from train.start_from, while the rest stays as it is: all; the net without the
    sieve, for a sieve that learned alone and keeps what it knows; the cube head alone, which costs a bot that
    plays well no strength; or the sieve alone, from what the net says of all plays of one roll, which is what
    learn.batch counts then."""
    average: float = 0.999
    """Decay a step of the averaged weights, which are what is saved for play; 0 saves the newest weights."""

    def __post_init__(self) -> None:
        for name in ("lambda_start", "lambda_end", "lambda_until", "rate_hold"):
            value = getattr(self, name)
            _require(0 <= value <= 1, f"learn.{name}", "from 0 to 1", value)
        for name in ("rate_start", "rate_end"):
            value = getattr(self, name)
            _require(0 < value <= 1, f"learn.{name}", "above 0 and at most 1", value)
        _require(0 <= self.cube_weight <= 100, "learn.cube_weight", "from 0 to 100", self.cube_weight)
        _require(0 <= self.pair_weight <= 1000, "learn.pair_weight", "from 0 to 1000", self.pair_weight)
        _require(self.batch > 0, "learn.batch", "at least 1", self.batch)
        _require(self.epochs > 0, "learn.epochs", "at least 1", self.epochs)
        _require(self.replay > 0, "learn.replay", "at least 1", self.replay)
        _one_of("learn.part", self.part, PARTS)
        _require(0 <= self.average < 1, "learn.average", "from 0 to below 1", self.average)

    def lam(self, share: float) -> float:
        """λ at a share of training from 0 to 1."""
        fallen = min(share / self.lambda_until, 1.0) if self.lambda_until else 1.0
        return (1 - fallen) * self.lambda_start + fallen * self.lambda_end

    def rate(self, share: float) -> float:
        """The learning rate at a share of training from 0 to 1."""
        falling = (share - self.rate_hold) / (1 - self.rate_hold) if self.rate_hold < 1 else 0.0
        ratio = self.rate_end / self.rate_start
        return float(self.rate_start * ratio ** min(max(falling, 0.0), 1.0))


@dataclass(frozen=True)
class TrainConfig:
    """The run."""

    games: int = 100_000
    """Games of self-play in all. The schedules stretch over them; below some 20,000 little is learned."""
    seed: int = 0
    """Seed of the weights, the dice and the order of learning."""
    start_from: str = ""
    """A bot whose weights to start from instead of random ones. The net may have wider hidden layers
    than its own, but for the last, more of them, each as wide as the one before it, and a cube head that it
    lacks."""
    save_every: int = 25_000
    """Games between two saves."""
    keep: int = 2
    """How many of the newest saves stay."""
    duel_every: int = 50_000
    """Games between two duels against the fixed opponents; 0 plays none."""
    duel_games: int = 1_000
    """Games of each such duel."""
    device: str = "cpu"
    """Where nets judge and learn: cpu, cuda, or auto for cuda where there is one. Plays are always found on
    the CPU; for cuda, let games_at_once be some ten thousand."""
    precision: Literal["float32", "bfloat16", "auto"] = "auto"
    """Arithmetic of judging and of the gradient steps: float32, bfloat16, or auto for what is faster here.
    Both use the same, for a difference between them would be a bias that adds up from ply to ply; the
    weights themselves stay float32."""
    threads: int = 1
    """Threads of PyTorch. Only one gives the same weights bit for bit after a resume."""

    def __post_init__(self) -> None:
        for name in ("games", "save_every", "keep", "duel_games", "threads"):
            fits = 0 < getattr(self, name) < 10**12
            _require(fits, f"train.{name}", "at least 1 and below 10^12", getattr(self, name))
        _one_of("train.device", self.device, DEVICES)
        _one_of("train.precision", self.precision, PRECISIONS)
        _require(self.duel_every >= 0, "train.duel_every", "0 or more", self.duel_every)
        _require(0 <= self.seed < 2**63, "train.seed", "from 0 to below 2^63", self.seed)


@dataclass(frozen=True)
class Config:
    """All of it."""

    net: NetConfig = field(default_factory=NetConfig)
    selfplay: SelfPlayConfig = field(default_factory=SelfPlayConfig)
    learn: LearnConfig = field(default_factory=LearnConfig)
    train: TrainConfig = field(default_factory=TrainConfig)

    def __post_init__(self) -> None:
        part, start = self.learn.part, self.train.start_from
        if part != "all" and not start:
            raise ConfigError(f"learn.part = {part!r} wants a bot to start from, in train.start_from")
        if part == "cube" and not self.net.cube:
            raise ConfigError("learn.part = 'cube' wants net.cube")
        if part == "sieve" and not self.net.sieve:
            raise ConfigError("learn.part = 'sieve' wants net.sieve")
        if part == "sieve" and self.learn.centred:
            raise ConfigError("learn.centred is for the net: learn.part = 'sieve' does without")
        if self.learn.pairs and (part == "sieve" or self.learn.exact_backups):
            raise ConfigError(
                "learn.pairs does not go with learn.exact_backups, as it backs plays up by itself, nor with "
                "learn.part = 'sieve'"
            )
        if self.selfplay.cube:
            self._check_cube()

    def _check_cube(self) -> None:
        """Raises ConfigError where games cannot be played with a cube."""
        if not self.net.cube:
            raise ConfigError("selfplay.cube wants a net that learns the cube: set net.cube as well")
        if RULESETS[self.selfplay.rules].cube_limit == 1:
            raise ConfigError(f"selfplay.cube wants rules with a cube; {self.selfplay.rules} has none")
        if self.learn.exact_backups:
            raise ConfigError(
                "selfplay.cube and learn.exact_backups, which plays without one, do not go together"
            )

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Section → field → value, as JSON and TOML have it."""
        return {
            section: {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}
            for section, values in dataclasses.asdict(self).items()
        }


SECTIONS: dict[str, Any] = {
    "net": NetConfig,
    "selfplay": SelfPlayConfig,
    "learn": LearnConfig,
    "train": TrainConfig,
}


def load_config(source: str | Path | None, overrides: Sequence[str] = ()) -> Config:
    """The configuration of a TOML file or of a shipped name, with `section.field=value` overrides.

    None stands for the defaults. Raises ConfigError for unknown keys and wrong types.
    """
    return config_from_dict(_read(source) if source else {}, overrides)


def config_from_dict(values: dict[str, Any], overrides: Sequence[str] = ()) -> Config:
    """The configuration of nested dicts, with `section.field=value` overrides.

    Raises ConfigError for unknown keys and wrong types.
    """
    for section, given in values.items():
        if section not in SECTIONS:
            raise ConfigError(f"unknown section [{section}]; there are {', '.join(SECTIONS)}")
        if not isinstance(given, dict):
            raise ConfigError(f"{section} is a section with fields, not a value")
    for override in overrides:
        section, name, value = _parse_override(override)
        values = values | {section: values.get(section, {}) | {name: value}}
    return Config(**{section: _section(section, given) for section, given in values.items()})


def _section(section: str, given: Any) -> Any:
    kind = SECTIONS[section]
    hints = typing.get_type_hints(kind)
    for name in given:
        if name not in hints:
            raise ConfigError(f"unknown field {section}.{name}; there are {', '.join(hints)}")
    return kind(**{name: _typed(f"{section}.{name}", value, hints[name]) for name, value in given.items()})


def _typed(name: str, value: Any, wanted: Any) -> Any:
    """The value as the field's type has it. Raises ConfigError where it does not fit."""
    if typing.get_origin(wanted) is Literal:
        wanted = str
    if isinstance(wanted, types.GenericAlias):
        whole = isinstance(value, list) and all(type(item) is int for item in value)
        _require(whole, name, "a list of whole numbers", value)
        return tuple(value)
    if wanted is float and type(value) is int:
        value = float(value)
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    _require(type(value) is wanted, name, words[wanted], value)
    return value


def _read(source: str | Path) -> dict[str, Any]:
    named = shipped("configs") / f"{source}.toml"
    path = named if named.is_file() else Path(source)
    try:
        return tomllib.loads(path.read_text())
    except FileNotFoundError:
        names = ", ".join(sorted(file.stem for file in shipped("configs").glob("*.toml")))
        raise ConfigError(f"no config {str(source)!r}; give a TOML file or one of {names}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None


def _parse_override(text: str) -> tuple[str, str, Any]:
    key, equals, written = text.partition("=")
    section, dot, name = key.strip().partition(".")
    if not equals or not dot:
        raise ConfigError(f"{text!r} is no setting; write section.field=value, like train.games=200000")
    if section not in SECTIONS:
        raise ConfigError(f"unknown section {section!r} in {text!r}; there are {', '.join(SECTIONS)}")
    try:
        (value,) = tomllib.loads(f"value = {written}").values()
    except (tomllib.TOMLDecodeError, ValueError):
        value = written.strip()
    return section, name, value


def describe_fields() -> str:
    """Every field with its default and what it means, for people."""
    lines = []
    for section, kind in SECTIONS.items():
        lines.append(f"[{section}]  {inspect.getdoc(kind)}")
        defaults = {f.name: f.default for f in dataclasses.fields(kind)}
        for name, text in _field_docs(kind):
            default = list(d) if isinstance(d := defaults[name], tuple) else d
            lines.append(f"  {section}.{name} = {default!r}")
            lines.append(textwrap.fill(text, 88, initial_indent="      ", subsequent_indent="      "))
    return "\n".join(lines)


def _field_docs(kind: type) -> Iterator[tuple[str, str]]:
    """The name of each field and the string under it, read from the source."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    for this, following in zip(body.body, body.body[1:], strict=False):
        if isinstance(this, ast.AnnAssign) and isinstance(this.target, ast.Name):
            assert isinstance(following, ast.Expr)
            assert isinstance(following.value, ast.Constant)
            yield this.target.id, " ".join(str(following.value.value).split())
