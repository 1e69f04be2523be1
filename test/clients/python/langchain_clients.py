"""LangChain's chat models: `python langchain_clients.py chat|responses|messages`."""

import json
import sys
from typing import Any

from langchain_anthropic import ChatAnthropic
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

from scenes import TEXTS, Scene, Spent, Usage, is_cut, play, raises, said

API = sys.argv[1]


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return "Sunny"


def model(scene: Scene, name: str | None = None, retries: int = 0, **fields: Any):
    fields = {"model": name or scene.plain, "api_key": scene.key, "max_retries": retries, **fields}
    if API == "messages":
        return ChatAnthropic(base_url=scene.origin, max_tokens=4000, **fields)
    fields["use_responses_api"] = API == "responses"
    return ChatOpenAI(base_url=scene.base_url, stream_usage=True, **fields)


def usage_of(message) -> tuple[int, int]:
    return message.usage_metadata["input_tokens"], message.usage_metadata["output_tokens"]


def whole(scene: Scene) -> Usage:
    answer = model(scene).invoke(TEXTS["ask"])
    said(answer.text)
    return usage_of(answer)


def streamed(scene: Scene) -> Usage:
    total = None
    for chunk in model(scene).stream(TEXTS["ask"]):
        total = chunk if total is None else total + chunk
    said(total.text)
    return usage_of(total)


def tools(scene: Scene) -> Usage:
    spent = Spent()
    bound = model(scene).bind_tools([get_weather])
    messages: list = [HumanMessage(TEXTS["tool"])]
    first = bound.invoke(messages)
    spent.add(*usage_of(first))
    call = first.tool_calls[0]
    messages += [first, ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"])]
    second = bound.invoke(messages)
    said(second.text)
    spent.add(*usage_of(second))
    return spent.usage


def reasoning(scene: Scene) -> Usage:
    if API == "messages":
        thinking = model(scene, scene.thinker, thinking={"type": "enabled", "budget_tokens": 1024})
    elif API == "responses":
        thinking = model(scene, scene.thinker, reasoning={"effort": "high"})
    else:
        thinking = model(scene, scene.thinker, extra_body={"reasoning": {"effort": "high"}})
    answer = thinking.invoke(TEXTS["think"])
    said(answer.text)
    if API == "chat":  # ChatOpenAI drops the text of the reasoning in this API, not its tokens.
        assert answer.usage_metadata["output_token_details"]["reasoning"] > 0
    else:
        assert any(block["type"] == "reasoning" for block in answer.content_blocks)
    return usage_of(answer)


def image(scene: Scene) -> Usage:
    data = scene.image.split(",")[1]
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image", "base64": data, "mime_type": "image/png"},
    ]
    answer = model(scene, scene.thinker).invoke([HumanMessage(parts)])
    said(answer.text)
    return usage_of(answer)


def json_mode(scene: Scene) -> Usage:
    answer = model(scene).bind(response_format={"type": "json_object"}).invoke(TEXTS["json"])
    assert isinstance(json.loads(answer.text), dict)
    return usage_of(answer)


def cut(scene: Scene) -> Usage:
    is_cut(lambda: model(scene).stream(TEXTS["cut"]))
    return None


def limited(scene: Scene) -> Usage:
    return usage_of(model(scene, retries=5).invoke(TEXTS["ask"]))


def no_credit(scene: Scene) -> Usage:
    error = raises(lambda: model(scene, retries=3).invoke(TEXTS["ask"]), Exception)
    assert error.status_code == 402, error
    return None


def too_long(scene: Scene) -> Usage:
    raises(lambda: model(scene).invoke(TEXTS["too_long"]), ContextOverflowError)
    return None


SCENES = {
    "whole": whole,
    "streamed": streamed,
    "tools": tools,
    "reasoning": reasoning,
    "image": image,
    "cut": cut,
    "limited": limited,
    "no_credit": no_credit,
    "too_long": too_long,
}
play(SCENES if API == "messages" else {**SCENES, "json": json_mode})
