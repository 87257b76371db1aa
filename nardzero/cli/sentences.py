"""What happens at the table, in English sentences for the terminal."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

Facts = Mapping[str, Any]


def sentence(event: Facts) -> str:
    """An event, as `Event.to_json` gives it, in words."""
    return SENTENCES[event["code"]](event)


def _verb(event: Facts, plain: str, third: str) -> str:
    return f"You {plain}" if event["player"] == "you" else f"The bot {third}"


def _dice(event: Facts) -> str:
    return "".join(map(str, event["dice"]))


def _score(score: Mapping[str, int]) -> str:
    return f"you {score['you']}, the bot {score['bot']}"


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def _game(event: Facts) -> str:
    crawford = ", the Crawford game: nobody may double" if event["crawford"] else ""
    return f"Game {event['game']}{crawford}. The score: {_score(event['score'])}."


def _opening(event: Facts) -> str:
    thrown = f"You throw a {event['you']}, the bot a {event['bot']}"
    if event["first"] is None:
        return f"{thrown}: once more."
    return f"{thrown}: {'you begin' if event['first'] == 'you' else 'the bot begins'}."


def _game_over(event: Facts) -> str:
    result = event["result"]
    winner = "You win" if result["winner"] == "you" else "The bot wins"
    kind = "" if result["kind"] == "single" else f" with a {result['kind']}"
    return f"{winner} {_points(result['points'])}{kind}. The score: {_score(result['score'])}."


def _resignation(event: Facts) -> str:
    kind = "a single game" if event["kind"] == "single" else f"a {event['kind']}"
    said = "accepts" if event["accepted"] else "refuses: it hopes for more"
    return f"You offer to lose {kind}, and the bot {said}."


def _judged(event: Facts) -> str:
    if event["class"] == "fine" and event["lost"] == 0:
        return f"Coach: {event['done']} is best."
    return f"Coach: {event['class']}, {event['done']} loses {event['lost']:.3f} against {event['best']}."


SENTENCES: Mapping[str, Callable[[Facts], str]] = MappingProxyType(
    {
        "game": _game,
        "opening": _opening,
        "rolled": lambda event: f"{_verb(event, 'roll', 'rolls')} {_dice(event)}.",
        "forced": lambda event: "Only one play is possible.",
        "dance": lambda event: f"{_verb(event, 'cannot', 'cannot')} move, and the turn is over.",
        "moved": lambda event: f"{_verb(event, 'play', 'plays')} {_dice(event)}: {event['play']}",
        "doubled": lambda event: f"{_verb(event, 'double', 'doubles')} to {event['cube']}.",
        "took": lambda event: f"{_verb(event, 'take', 'takes')}: the cube is at {event['cube']}.",
        "beavered": lambda event: f"{_verb(event, 'beaver', 'beavers')}: the cube goes to {event['cube']}.",
        "passed": lambda event: f"{_verb(event, 'pass', 'passes')}.",
        "resignation": _resignation,
        "game_over": _game_over,
        "match_over": lambda event: f"{'You win' if event['winner'] == 'you' else 'The bot wins'} the match.",
        "judged": _judged,
    }
)
