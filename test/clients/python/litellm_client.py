"""LiteLLM as a client: `python litellm_client.py chat|responses|messages`."""

import json
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # Its prices would come from the internet.

import litellm  # noqa: E402

from scenes import TEXTS, WEATHER_SCHEMA, Scene, Spent, Usage, is_cut, play, raises, said

API = sys.argv[1]
PROVIDER = "anthropic" if API == "messages" else "openai"
TOOL = {
    "type": "function",
    "function": {"name": "get_weather", "description": "The weather in a city", "parameters": WEATHER_SCHEMA},
}
litellm.suppress_debug_info = True
litellm.drop_params = False


def ask(scene: Scene, content, model: str | None = None, retries: int = 0, **fields):
    messages = content if isinstance(content, list) else [{"role": "user", "content": content}]
    prefix = f"{PROVIDER}/responses" if API == "responses" else PROVIDER
    return litellm.completion(
        model=f"{prefix}/{model or scene.plain}",
        messages=messages,
        api_base=scene.origin if API == "messages" else scene.base_url,
        api_key=scene.key,
        max_retries=retries,
        **fields,
    )


def usage_of(answer) -> tuple[int, int]:
    return answer.usage.prompt_tokens, answer.usage.completion_tokens


def whole(scene: Scene) -> Usage:
    answer = ask(scene, TEXTS["ask"])
    said(answer.choices[0].message.content)
    return usage_of(answer)


def streamed(scene: Scene) -> Usage:
    chunks = list(ask(scene, TEXTS["ask"], stream=True, stream_options={"include_usage": True}))
    said("".join(c.choices[0].delta.content or "" for c in chunks if c.choices))
    return usage_of(next(c for c in reversed(chunks) if getattr(c, "usage", None)))


def tools(scene: Scene) -> Usage:
    spent = Spent()
    messages: list = [{"role": "user", "content": TEXTS["tool"]}]
    first = ask(scene, messages, tools=[TOOL])
    spent.add(*usage_of(first))
    message = first.choices[0].message
    call = message.tool_calls[0]
    assert "city" in json.loads(call.function.arguments)
    messages += [message.model_dump(), {"role": "tool", "tool_call_id": call.id, "content": "Sunny"}]
    second = ask(scene, messages, tools=[TOOL])
    said(second.choices[0].message.content)
    spent.add(*usage_of(second))
    return spent.usage


def reasoning(scene: Scene) -> Usage:
    fields = {
        "chat": {"extra_body": {"reasoning": {"effort": "high"}}},
        "responses": {"reasoning_effort": "high"},
        "messages": {
            "thinking": {"type": "enabled", "budget_tokens": 1024},
            "max_tokens": 4000,
            # LiteLLM does not know that the model reasons.
            "allowed_openai_params": ["thinking"],
        },
    }[API]
    answer = ask(scene, TEXTS["think"], model=scene.thinker, **fields)
    said(answer.choices[0].message.content)
    if API == "responses":  # LiteLLM takes the summary of the reasoning alone, not its text.
        assert answer.usage.completion_tokens_details.reasoning_tokens > 0
    else:
        said(answer.choices[0].message.reasoning_content)
    return usage_of(answer)


def image(scene: Scene) -> Usage:
    parts = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": scene.image}}]
    answer = ask(scene, [{"role": "user", "content": parts}], model=scene.thinker)
    said(answer.choices[0].message.content)
    return usage_of(answer)


def json_mode(scene: Scene) -> Usage:
    answer = ask(scene, TEXTS["json"], response_format={"type": "json_object"})
    assert isinstance(json.loads(answer.choices[0].message.content), dict)
    return usage_of(answer)


def cut(scene: Scene) -> Usage:
    is_cut(lambda: ask(scene, TEXTS["cut"], stream=True))
    return None


def limited(scene: Scene) -> Usage:
    return usage_of(ask(scene, TEXTS["ask"], retries=5))


def no_credit(scene: Scene) -> Usage:
    error = raises(lambda: ask(scene, TEXTS["ask"], retries=3), Exception)
    assert error.status_code == 402, error
    return None


def too_long(scene: Scene) -> Usage:
    raises(lambda: ask(scene, TEXTS["too_long"]), litellm.ContextWindowExceededError)
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
