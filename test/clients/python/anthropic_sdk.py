"""The `anthropic` SDK."""

import anthropic

from scenes import TEXTS, WEATHER_SCHEMA, Scene, Spent, Usage, is_cut, play, raises, said

TOOL = {"name": "get_weather", "description": "The weather in a city", "input_schema": WEATHER_SCHEMA}


def client(scene: Scene, retries: int = 0) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=scene.origin, api_key=scene.key, max_retries=retries)


def ask(scene: Scene, content, retries: int = 0, **fields):
    fields = {"model": scene.plain, "max_tokens": 2000, **fields}
    messages = content if isinstance(content, list) else [{"role": "user", "content": content}]
    return client(scene, retries).messages.create(messages=messages, **fields)


def usage_of(answer) -> tuple[int, int]:
    # The tokens that the cache had are not among the input tokens of this API.
    cached = answer.usage.cache_read_input_tokens or 0
    return answer.usage.input_tokens + cached, answer.usage.output_tokens


def whole(scene: Scene) -> Usage:
    answer = ask(scene, TEXTS["ask"], system="Be brief.")
    said(answer.content[0].text)
    assert answer.stop_reason == "end_turn"
    return usage_of(answer)


def streamed(scene: Scene) -> Usage:
    message = [{"role": "user", "content": TEXTS["ask"]}]
    with client(scene).messages.stream(model=scene.plain, max_tokens=2000, messages=message) as stream:
        said("".join(stream.text_stream))
        return usage_of(stream.get_final_message())


def tools(scene: Scene) -> Usage:
    spent = Spent()
    messages: list = [{"role": "user", "content": TEXTS["tool"]}]
    first = ask(scene, messages, tools=[TOOL])
    spent.add(*usage_of(first))
    assert first.stop_reason == "tool_use"
    call = next(block for block in first.content if block.type == "tool_use")
    assert call.name == "get_weather" and "city" in call.input
    messages.append({"role": "assistant", "content": first.content})
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "Sunny"}
    messages.append({"role": "user", "content": [result]})
    second = ask(scene, messages, tools=[TOOL])
    said(second.content[0].text)
    spent.add(*usage_of(second))
    return spent.usage


def reasoning(scene: Scene) -> Usage:
    thinking = {"type": "enabled", "budget_tokens": 1024}
    answer = ask(scene, TEXTS["think"], model=scene.thinker, thinking=thinking, max_tokens=4000)
    said(next(block for block in answer.content if block.type == "thinking").thinking)
    return usage_of(answer)


def image(scene: Scene) -> Usage:
    source = {"type": "base64", "media_type": "image/png", "data": scene.image.split(",")[1]}
    parts = [{"type": "image", "source": source}, {"type": "text", "text": "What is this?"}]
    answer = ask(scene, [{"role": "user", "content": parts}], model=scene.thinker)
    said(answer.content[-1].text)
    return usage_of(answer)


def cut(scene: Scene) -> Usage:
    def read():
        message = [{"role": "user", "content": TEXTS["cut"]}]
        with client(scene).messages.stream(model=scene.plain, max_tokens=2000, messages=message) as stream:
            yield from stream
            stream.get_final_message()

    is_cut(read)
    return None


def limited(scene: Scene) -> Usage:
    return usage_of(ask(scene, TEXTS["ask"], retries=5))


def no_credit(scene: Scene) -> Usage:
    error = raises(lambda: ask(scene, TEXTS["ask"], retries=3), anthropic.APIStatusError)
    assert error.status_code == 402 and error.request_id.startswith("req_"), error
    return None


def too_long(scene: Scene) -> Usage:
    error = raises(lambda: ask(scene, TEXTS["too_long"]), anthropic.BadRequestError)
    # What Claude Code looks for.
    assert "too long" in str(error) or "maximum context length" in str(error), error
    return None


def models(scene: Scene) -> Usage:
    api = client(scene)
    assert scene.plain in [model.id for model in api.models.list()]
    assert api.models.retrieve(scene.plain).id == scene.plain
    return None


play(
    {
        "whole": whole,
        "streamed": streamed,
        "tools": tools,
        "reasoning": reasoning,
        "image": image,
        "cut": cut,
        "limited": limited,
        "no_credit": no_credit,
        "too_long": too_long,
        "models": models,
    }
)
