"""The OpenAI Agents SDK: `python openai_agents.py chat|responses`."""

import asyncio
import sys

import openai
from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner
from agents import function_tool, set_tracing_disabled
from openai.types.shared import Reasoning

from scenes import TEXTS, Scene, Usage, play, raises, said

API = sys.argv[1]
set_tracing_disabled(True)


def agent(scene: Scene, name: str | None = None, retries: int = 0, **fields) -> Agent:
    to = openai.AsyncOpenAI(base_url=scene.base_url, api_key=scene.key, max_retries=retries)
    kind = OpenAIChatCompletionsModel if API == "chat" else OpenAIResponsesModel
    model = kind(model=name or scene.plain, openai_client=to)
    fields.setdefault("model_settings", ModelSettings(include_usage=True))
    return Agent(name="a", instructions="Be brief.", model=model, **fields)


def run(asked: Agent, text) -> tuple:
    result = asyncio.run(Runner.run(asked, text))
    usage = result.context_wrapper.usage
    return result, (usage.input_tokens, usage.output_tokens)


def stream(asked: Agent, text: str, events: list) -> Usage:
    async def read() -> Usage:
        result = Runner.run_streamed(asked, text)
        async for event in result.stream_events():
            events.append(event)
        said(result.final_output)
        usage = result.context_wrapper.usage
        return usage.input_tokens, usage.output_tokens

    return asyncio.run(read())


def whole(scene: Scene) -> Usage:
    result, usage = run(agent(scene), TEXTS["ask"])
    said(result.final_output)
    return usage


def streamed(scene: Scene) -> Usage:
    return stream(agent(scene), TEXTS["ask"], [])


def tools(scene: Scene) -> Usage:
    cities: list[str] = []

    @function_tool
    def get_weather(city: str) -> str:
        """The weather in a city."""
        cities.append(city)
        return "Sunny"

    result, usage = run(agent(scene, tools=[get_weather]), TEXTS["tool"])
    said(result.final_output)
    assert len(cities) == 1
    return usage


def reasoning(scene: Scene) -> Usage:
    if API == "responses":
        settings = ModelSettings(reasoning=Reasoning(effort="high"))
    else:
        settings = ModelSettings(extra_body={"reasoning": {"effort": "high"}})
    result, usage = run(agent(scene, scene.thinker, model_settings=settings), TEXTS["think"])
    said(result.final_output)
    assert result.context_wrapper.usage.output_tokens_details.reasoning_tokens > 0
    return usage


def image(scene: Scene) -> Usage:
    parts = [
        {"type": "input_text", "text": "What is this?"},
        {"type": "input_image", "image_url": scene.image, "detail": "auto"},
    ]
    result, usage = run(agent(scene, scene.thinker), [{"role": "user", "content": parts}])
    said(result.final_output)
    return usage


def cut(scene: Scene) -> Usage:
    events: list = []
    raises(lambda: stream(agent(scene), TEXTS["cut"], events), Exception)
    assert any(event.type == "raw_response_event" for event in events), "nothing came before the error"
    return None


def limited(scene: Scene) -> Usage:
    return run(agent(scene, retries=5), TEXTS["ask"])[1]


def no_credit(scene: Scene) -> Usage:
    error = raises(lambda: run(agent(scene, retries=3), TEXTS["ask"]), openai.APIStatusError)
    assert error.status_code == 402, error
    return None


def too_long(scene: Scene) -> Usage:
    error = raises(lambda: run(agent(scene), TEXTS["too_long"]), openai.BadRequestError)
    assert error.code == "context_length_exceeded", error
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
