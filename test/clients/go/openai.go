package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

func openaiClient(key string, retries int) openai.Client {
	return openai.NewClient(
		option.WithBaseURL(stage.BaseURL), option.WithAPIKey(key), option.WithMaxRetries(retries))
}

func openaiModels(key string) (Usage, error) {
	client := openaiClient(key, 0)
	page, err := client.Models.List(context.Background())
	if err != nil {
		return nil, err
	}
	if len(page.Data) == 0 {
		return nil, errors.New("no models")
	}
	model, err := client.Models.Get(context.Background(), stage.Plain)
	if err != nil {
		return nil, err
	}
	return nil, isTrue(model.ID == stage.Plain && model.OwnedBy != "", "another model: "+model.ID)
}

// openaiRefusal checks the status and the code of an error of the SDK.
func openaiRefusal(err error, status int, code string) error {
	var refusal *openai.Error
	if !errors.As(err, &refusal) {
		return fmt.Errorf("not an error of the API: %v", err)
	}
	return isTrue(refusal.StatusCode == status && refusal.Code == code, refusal.Error())
}

func chatAsk(key string, params openai.ChatCompletionNewParams, retries int, extra ...option.RequestOption) (*openai.ChatCompletion, error) {
	if params.Model == "" {
		params.Model = stage.Plain
	}
	client := openaiClient(key, retries)
	return client.Chat.Completions.New(context.Background(), params, extra...)
}

func chatOf(text string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)},
	}
}

func chatUsage(usage openai.CompletionUsage) Usage {
	return used(usage.PromptTokens, usage.CompletionTokens)
}

// chatText checks that an answer has text, and returns its usage.
func chatText(answer *openai.ChatCompletion, err error) (Usage, error) {
	if err != nil {
		return nil, err
	}
	return chatUsage(answer.Usage), said(answer.Choices[0].Message.Content)
}

func chatStream(key, text string) (Usage, error) {
	params := chatOf(text)
	params.Model = stage.Plain
	params.StreamOptions = openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}
	client := openaiClient(key, 0)
	stream := client.Chat.Completions.NewStreaming(context.Background(), params)
	all := openai.ChatCompletionAccumulator{}
	for stream.Next() {
		all.AddChunk(stream.Current())
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	return chatText(&all.ChatCompletion, nil)
}

var openaiChat = map[string]Play{
	"models":   openaiModels,
	"whole":    func(key string) (Usage, error) { return chatText(chatAsk(key, chatOf(stage.Texts["ask"]), 0)) },
	"limited":  func(key string) (Usage, error) { return chatText(chatAsk(key, chatOf(stage.Texts["ask"]), 5)) },
	"streamed": func(key string) (Usage, error) { return chatStream(key, stage.Texts["ask"]) },
	"tools": func(key string) (Usage, error) {
		params := chatOf(stage.Texts["tool"])
		params.Messages = append([]openai.ChatCompletionMessageParamUnion{openai.DeveloperMessage("Be brief.")}, params.Messages...)
		params.Tools = []openai.ChatCompletionToolUnionParam{
			openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "get_weather", Parameters: weatherSchema}),
		}
		first, err := chatAsk(key, params, 0)
		if err != nil {
			return nil, err
		}
		message := first.Choices[0].Message
		if len(message.ToolCalls) != 1 {
			return nil, errors.New("not one call")
		}
		call := message.ToolCalls[0]
		if err := isWeatherCall(call.Function.Name, call.Function.Arguments); err != nil {
			return nil, err
		}
		params.Messages = append(params.Messages, message.ToParam(), openai.ToolMessage("Sunny", call.ID))
		usage, err := chatText(chatAsk(key, params, 0))
		if err != nil {
			return nil, err
		}
		return used(first.Usage.PromptTokens+usage[0], first.Usage.CompletionTokens+usage[1]), nil
	},
	"reasoning": func(key string) (Usage, error) {
		params := chatOf(stage.Texts["think"])
		params.Model = stage.Thinker
		answer, err := chatAsk(key, params, 0, option.WithJSONSet("reasoning", map[string]any{"effort": "high"}))
		if err != nil {
			return nil, err
		}
		tokens := answer.Usage.CompletionTokensDetails.ReasoningTokens
		thought := answer.Choices[0].Message.JSON.ExtraFields["reasoning"]
		return chatUsage(answer.Usage), isTrue(tokens > 0 && len(thought.Raw()) > 10, "no reasoning")
	},
	"image": func(key string) (Usage, error) {
		return chatText(chatAsk(key, openai.ChatCompletionNewParams{
			Model: stage.Thinker,
			Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage([]openai.ChatCompletionContentPartUnionParam{
				openai.TextContentPart("What is this?"),
				openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: stage.Image}),
			})},
		}, 0))
	},
	"json": func(key string) (Usage, error) {
		params := chatOf(stage.Texts["json"])
		params.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
		answer, err := chatAsk(key, params, 0)
		if err != nil {
			return nil, err
		}
		return chatUsage(answer.Usage), isJSONObject(answer.Choices[0].Message.Content)
	},
	"cut": func(key string) (Usage, error) {
		_, err := chatStream(key, stage.Texts["cut"])
		return nil, isTrue(err != nil, "the cut stream looks complete")
	},
	"no_credit": func(key string) (Usage, error) {
		_, err := chatAsk(key, chatOf(stage.Texts["ask"]), 3)
		return nil, openaiRefusal(err, 402, "insufficient_credit")
	},
	"too_long": func(key string) (Usage, error) {
		_, err := chatAsk(key, chatOf(stage.Texts["too_long"]), 0)
		return nil, openaiRefusal(err, 400, "context_length_exceeded")
	},
}
