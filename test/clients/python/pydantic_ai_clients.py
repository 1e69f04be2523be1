"""PydanticAI: `python pydantic_ai_clients.py chat|responses|messages`."""

import asyncio
import base64
import sys

import anthropic
import openai
from pydantic_ai import Agent, BinaryContent, ThinkingPart
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from scenes import TEXTS, Scene, Usage, play, raises, said

API = sys.argv[1]


def agent(scene: Scene, name: str | None = None, retries: int = 0, **settings) -> Agent:
    name = name or scene.plain
    if API == "messages":
        to = anthropic.AsyncAnthropic(base_url=scene.origin, api_key=scene.key, max_retries=retries)
        model = AnthropicModel(name, provider=AnthropicProvider(anthropic_client=to))
    else:
        to = openai.AsyncOpenAI(base_url=scene.base_url, api_key=scene.key, max_retries=retries)
        kind = OpenAIChatModel if API == "chat" else OpenAIResponsesModel
        model = kind(name, provider=OpenAIProvider(openai_client=to))
    return Agent(model, model_settings=settings or None)


def usage_of(result) -> Usage:
    usage = result.usage() if callable(result.usage) else result.usage
    return usage.input_tokens, usage.output_tokens


def whole(scene: Scene) -> Usage:
    result = agent(scene).run_sync(TEXTS["ask"])
    said(result.output)
    return usage_of(result)


def stream(asked: Agent, text: str, pieces: list[str]) -> Usage:
    async def read() -> Usage:
        async with asked.run_stream(text) as result:
            async for piece in result.stream_text(delta=True, debounce_by=None):
                pieces.append(piece)
            said("".join(pieces))
            return usage_of(result)

    return asyncio.run(read())


def streamed(scene: Scene) -> Usage:
    return stream(agent(scene), TEXTS["ask"], [])


def tools(scene: Scene) -> Usage:
    asked = agent(scene)
    cities: list[str] = []

    @asked.tool_plain
    def get_weather(city: str) -> str:
        """The weather in a city."""
        cities.append(city)
        return "Sunny"

    result = asked.run_sync(TEXTS["tool"])
    said(result.output)
    assert len(cities) == 1
    return usage_of(result)


def reasoning(scene: Scene) -> Usage:
    settings = {
        "chat": {"extra_body": {"reasoning": {"effort": "high"}}},
        "responses": {"openai_reasoning_effort": "high"},
        "messages": {"anthropic_thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 4000},
    }[API]
    result = agent(scene, scene.thinker, **settings).run_sync(TEXTS["think"])
    parts = [part for message in result.all_messages() for part in message.parts]
    # What the Responses API has as the text of the reasoning, not as its summary, is kept beside.
    thoughts = [part for part in parts if isinstance(part, ThinkingPart)]
    said("".join(part.content or str((part.provider_details or {}).get("raw_content", "")) for part in thoughts))
    return usage_of(result)


def image(scene: Scene) -> Usage:
    picture = BinaryContent(base64.b64decode(scene.image.split(",")[1]), media_type="image/png")
    result = agent(scene, scene.thinker).run_sync(["What is this?", picture])
    said(result.output)
    return usage_of(result)


def cut(scene: Scene) -> Usage:
    pieces: list[str] = []
    raises(lambda: stream(agent(scene), TEXTS["cut"], pieces), Exception)
    assert pieces, "nothing came before the error"
    return None


def limited(scene: Scene) -> Usage:
    return usage_of(agent(scene, retries=5).run_sync(TEXTS["ask"]))


def no_credit(scene: Scene) -> Usage:
    error = raises(lambda: agent(scene, retries=3).run_sync(TEXTS["ask"]), ModelHTTPError)
    assert error.status_code == 402, error
    return None


def too_long(scene: Scene) -> Usage:
    error = raises(lambda: agent(scene).run_sync(TEXTS["too_long"]), ModelHTTPError)
    assert error.status_code == 400 and "maximum context length" in str(error), error
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
    }
)
