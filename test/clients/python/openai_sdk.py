"""The `openai` SDK: `python openai_sdk.py chat|responses`."""

import json
import sys

import openai

from scenes import TEXTS, WEATHER_SCHEMA, Scene, Spent, Usage, is_cut, play, raises, said


def client(scene: Scene, retries: int = 0) -> openai.OpenAI:
    return openai.OpenAI(base_url=scene.base_url, api_key=scene.key, max_retries=retries)


def models(scene: Scene) -> Usage:
    api = client(scene)
    assert scene.plain in [model.id for model in api.models.list()]
    one = api.models.retrieve(scene.plain)
    assert (one.id, one.object) == (scene.plain, "model") and one.owned_by
    return None


class Chat:
    tool = {
        "type": "function",
        "function": {"name": "get_weather", "description": "The weather in a city", "parameters": WEATHER_SCHEMA},
    }

    def ask(self, scene: Scene, content, retries: int = 0, **fields):
        fields.setdefault("model", scene.plain)
        messages = [{"role": "user", "content": content}]
        return client(scene, retries).chat.completions.create(messages=messages, **fields)

    def whole(self, scene: Scene) -> Usage:
        answer = self.ask(scene, TEXTS["ask"])
        said(answer.choices[0].message.content)
        assert answer.choices[0].finish_reason == "stop"
        return answer.usage.prompt_tokens, answer.usage.completion_tokens

    def streamed(self, scene: Scene) -> Usage:
        stream = self.ask(scene, TEXTS["ask"], stream=True, stream_options={"include_usage": True})
        chunks = list(stream)
        said("".join(c.choices[0].delta.content or "" for c in chunks if c.choices))
        usage = chunks[-1].usage
        return usage.prompt_tokens, usage.completion_tokens

    def tools(self, scene: Scene) -> Usage:
        spent = Spent()
        messages: list = [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": TEXTS["tool"]}]
        api = client(scene).chat.completions
        first = api.create(model=scene.plain, messages=messages, tools=[self.tool])
        spent.add(first.usage.prompt_tokens, first.usage.completion_tokens)
        message = first.choices[0].message
        call = message.tool_calls[0]
        assert call.function.name == "get_weather" and "city" in json.loads(call.function.arguments)
        messages += [message, {"role": "tool", "tool_call_id": call.id, "content": "Sunny"}]
        second = api.create(model=scene.plain, messages=messages, tools=[self.tool])
        said(second.choices[0].message.content)
        spent.add(second.usage.prompt_tokens, second.usage.completion_tokens)
        return spent.usage

    def reasoning(self, scene: Scene) -> Usage:
        answer = self.ask(scene, TEXTS["think"], model=scene.thinker, extra_body={"reasoning": {"effort": "high"}})
        said(answer.choices[0].message.reasoning)
        assert answer.usage.completion_tokens_details.reasoning_tokens > 0
        return answer.usage.prompt_tokens, answer.usage.completion_tokens

    def image(self, scene: Scene) -> Usage:
        parts = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": scene.image}}]
        answer = self.ask(scene, parts, model=scene.thinker)
        said(answer.choices[0].message.content)
        return answer.usage.prompt_tokens, answer.usage.completion_tokens

    def json(self, scene: Scene) -> Usage:
        answer = self.ask(scene, TEXTS["json"], response_format={"type": "json_object"})
        assert isinstance(json.loads(answer.choices[0].message.content), dict)
        return answer.usage.prompt_tokens, answer.usage.completion_tokens

    def cut(self, scene: Scene) -> Usage:
        is_cut(lambda: self.ask(scene, TEXTS["cut"], stream=True))
        return None

    def limited(self, scene: Scene) -> Usage:
        answer = self.ask(scene, TEXTS["ask"], retries=5)
        return answer.usage.prompt_tokens, answer.usage.completion_tokens

    def no_credit(self, scene: Scene) -> Usage:
        error = raises(lambda: self.ask(scene, TEXTS["ask"], retries=3), openai.APIStatusError)
        assert error.status_code == 402 and error.request_id.startswith("req_"), error
        return None

    def too_long(self, scene: Scene) -> Usage:
        error = raises(lambda: self.ask(scene, TEXTS["too_long"]), openai.BadRequestError)
        assert error.code == "context_length_exceeded", error
        return None


class Responses:
    tool = {"type": "function", "name": "get_weather", "description": "The weather in a city", "parameters": WEATHER_SCHEMA}

    def ask(self, scene: Scene, content, retries: int = 0, **fields):
        fields.setdefault("model", scene.plain)
        return client(scene, retries).responses.create(input=content, **fields)

    def usage(self, answer) -> Usage:
        return answer.usage.input_tokens, answer.usage.output_tokens

    def whole(self, scene: Scene) -> Usage:
        answer = self.ask(scene, TEXTS["ask"], instructions="Be brief.")
        said(answer.output_text)
        assert answer.status == "completed"
        return self.usage(answer)

    def streamed(self, scene: Scene) -> Usage:
        with client(scene).responses.stream(model=scene.plain, input=TEXTS["ask"]) as stream:
            text = "".join(e.delta for e in stream if e.type == "response.output_text.delta")
            answer = stream.get_final_response()
        assert said(text) == answer.output_text
        return self.usage(answer)

    def tools(self, scene: Scene) -> Usage:
        spent = Spent()
        items: list = [{"role": "user", "content": TEXTS["tool"]}]
        first = self.ask(scene, items, tools=[self.tool])
        spent.add(*self.usage(first))
        call = next(item for item in first.output if item.type == "function_call")
        assert call.name == "get_weather" and "city" in json.loads(call.arguments)
        items += first.output
        items.append({"type": "function_call_output", "call_id": call.call_id, "output": "Sunny"})
        second = self.ask(scene, items, tools=[self.tool])
        said(second.output_text)
        spent.add(*self.usage(second))
        return spent.usage

    def reasoning(self, scene: Scene) -> Usage:
        answer = self.ask(scene, TEXTS["think"], model=scene.thinker, reasoning={"effort": "high"})
        assert any(item.type == "reasoning" for item in answer.output)
        assert answer.usage.output_tokens_details.reasoning_tokens > 0
        return self.usage(answer)

    def image(self, scene: Scene) -> Usage:
        parts = [{"type": "input_text", "text": "What is this?"}, {"type": "input_image", "image_url": scene.image}]
        answer = self.ask(scene, [{"role": "user", "content": parts}], model=scene.thinker)
        said(answer.output_text)
        return self.usage(answer)

    def json(self, scene: Scene) -> Usage:
        answer = self.ask(scene, TEXTS["json"], text={"format": {"type": "json_object"}})
        assert isinstance(json.loads(answer.output_text), dict)
        return self.usage(answer)

    def cut(self, scene: Scene) -> Usage:
        def read():
            with client(scene).responses.stream(model=scene.plain, input=TEXTS["cut"]) as stream:
                yield from stream
                stream.get_final_response()

        is_cut(read)
        return None

    def limited(self, scene: Scene) -> Usage:
        return self.usage(self.ask(scene, TEXTS["ask"], retries=5))

    def no_credit(self, scene: Scene) -> Usage:
        error = raises(lambda: self.ask(scene, TEXTS["ask"], retries=3), openai.APIStatusError)
        assert error.status_code == 402 and error.request_id.startswith("req_"), error
        return None

    def too_long(self, scene: Scene) -> Usage:
        error = raises(lambda: self.ask(scene, TEXTS["too_long"]), openai.BadRequestError)
        assert error.code == "context_length_exceeded", error
        return None


api = {"chat": Chat, "responses": Responses}[sys.argv[1]]()
NAMES = ["whole", "streamed", "tools", "reasoning", "image", "json", "cut", "limited", "no_credit", "too_long"]
play({"models": models, **{name: getattr(api, name) for name in NAMES}})
