"""LlamaIndex's `OpenAILike`."""

import json

import openai
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike

from scenes import TEXTS, Scene, Spent, Usage, is_cut, play, raises, said


def get_weather(city: str) -> str:
    """The weather in a city."""
    return "Sunny"


TOOL = FunctionTool.from_defaults(get_weather)


def model(scene: Scene, name: str | None = None, retries: int = 0, **extra) -> OpenAILike:
    return OpenAILike(
        model=name or scene.plain,
        api_base=scene.base_url,
        api_key=scene.key,
        max_retries=retries,
        is_chat_model=True,
        is_function_calling_model=True,
        context_window=262_144,
        additional_kwargs=extra,
    )


def user(text: str) -> list[ChatMessage]:
    return [ChatMessage(role="user", content=text)]


def usage_of(answer) -> tuple[int, int]:
    return answer.raw.usage.prompt_tokens, answer.raw.usage.completion_tokens


def whole(scene: Scene) -> Usage:
    answer = model(scene).chat(user(TEXTS["ask"]))
    said(answer.message.content)
    return usage_of(answer)


def streamed(scene: Scene) -> Usage:
    asked = model(scene, stream_options={"include_usage": True})
    last = list(asked.stream_chat(user(TEXTS["ask"])))[-1]
    said(last.message.content)
    return usage_of(last)


def tools(scene: Scene) -> Usage:
    spent = Spent()
    llm = model(scene)
    messages = user(TEXTS["tool"])
    first = llm.chat_with_tools([TOOL], chat_history=messages)
    spent.add(*usage_of(first))
    call = llm.get_tool_calls_from_response(first)[0]
    assert call.tool_name == "get_weather" and "city" in call.tool_kwargs
    result = ChatMessage(role="tool", content="Sunny", additional_kwargs={"tool_call_id": call.tool_id})
    second = llm.chat_with_tools([TOOL], chat_history=[*messages, first.message, result])
    said(second.message.content)
    spent.add(*usage_of(second))
    return spent.usage


def reasoning(scene: Scene) -> Usage:
    asked = model(scene, scene.thinker, extra_body={"reasoning": {"effort": "high"}})
    answer = asked.chat(user(TEXTS["think"]))
    said(answer.message.content)
    assert answer.raw.usage.completion_tokens_details.reasoning_tokens > 0
    return usage_of(answer)


def image(scene: Scene) -> Usage:
    blocks = [TextBlock(text="What is this?"), ImageBlock(url=scene.image)]
    answer = model(scene, scene.thinker).chat([ChatMessage(role="user", blocks=blocks)])
    said(answer.message.content)
    return usage_of(answer)


def json_mode(scene: Scene) -> Usage:
    answer = model(scene, response_format={"type": "json_object"}).chat(user(TEXTS["json"]))
    assert isinstance(json.loads(answer.message.content), dict)
    return usage_of(answer)


def cut(scene: Scene) -> Usage:
    is_cut(lambda: model(scene).stream_chat(user(TEXTS["cut"])))
    return None


def limited(scene: Scene) -> Usage:
    return usage_of(model(scene, retries=5).chat(user(TEXTS["ask"])))


def no_credit(scene: Scene) -> Usage:
    error = raises(lambda: model(scene, retries=3).chat(user(TEXTS["ask"])), openai.APIStatusError)
    assert error.status_code == 402, error
    return None


def too_long(scene: Scene) -> Usage:
    error = raises(lambda: model(scene).chat(user(TEXTS["too_long"])), openai.BadRequestError)
    assert error.code == "context_length_exceeded", error
    return None


play(
    {
        "whole": whole,
        "streamed": streamed,
        "tools": tools,
        "reasoning": reasoning,
        "image": image,
        "json": json_mode,
        "cut": cut,
        "limited": limited,
        "no_credit": no_credit,
        "too_long": too_long,
    }
)
