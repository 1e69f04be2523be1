"""Plays the scenes of one client, and prints what came of each as a line of JSON.

Standard input has the service and the texts (test/clients/play.ts, Stage). A scene is a function of
its `Scene`. It raises if the client does not show what it should, and returns the usage that the
client reported, as (prompt tokens, completion tokens), where the client reports any.
"""

import json
import sys
import traceback
from dataclasses import dataclass
from typing import Any, Callable, Iterable

STAGE: dict[str, Any] = json.load(sys.stdin)
TEXTS: dict[str, str] = STAGE["texts"]

WEATHER_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}


@dataclass(frozen=True)
class Scene:
    key: str
    base_url: str = STAGE["base_url"]
    # For clients that add `/v1` themselves.
    origin: str = STAGE["origin"]
    plain: str = STAGE["plain"]
    thinker: str = STAGE["thinker"]
    image: str = STAGE["image"]


Usage = tuple[int, int] | None


class Spent:
    """The sum of the usage of several answers."""

    def __init__(self) -> None:
        self.prompt = 0
        self.completion = 0

    def add(self, prompt: int, completion: int) -> None:
        self.prompt += prompt
        self.completion += completion

    @property
    def usage(self) -> Usage:
        return self.prompt, self.completion


def raises(call: Callable[[], Any], *errors: type[BaseException]) -> BaseException:
    try:
        call()
    except AssertionError:  # Of the scene itself.
        raise
    except errors as error:
        return error
    raise AssertionError(f"none of {[error.__name__ for error in errors]} was raised")


def is_cut(begin: Callable[[], Iterable[Any]]) -> None:
    """Reads a stream that has to begin and then raise."""
    pieces = 0
    try:
        for _ in begin():
            pieces += 1
    except Exception as error:
        assert pieces > 0, f"nothing came before {error!r}"
        return
    raise AssertionError("the cut stream looks complete")


def said(text: str | None) -> str:
    assert text and len(text) > 10, f"no text: {text!r}"
    return text


def play(scenes: dict[str, Callable[[Scene], Usage]]) -> None:
    for name in STAGE["scenes"]:
        if name not in scenes:
            continue
        outcome: dict[str, Any] = {"scene": name, "failure": None, "usage": None}
        try:
            outcome["usage"] = scenes[name](Scene(key=STAGE["keys"][name]))
        except BaseException as error:  # A scene that ends the process is a failure of it as well.
            where = traceback.extract_tb(error.__traceback__)[1:2]
            line = where[0].lineno if where else "?"
            outcome["failure"] = f"line {line}: {type(error).__name__}: {error}"[:600]
        print("OUTCOME " + json.dumps(outcome), flush=True)
