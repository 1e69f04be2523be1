package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

func anthropicClient(key string, retries int) anthropic.Client {
	return anthropic.NewClient(
		option.WithBaseURL(stage.Origin), option.WithAPIKey(key), option.WithMaxRetries(retries))
}

func messageAsk(key string, params anthropic.MessageNewParams, retries int) (*anthropic.Message, error) {
	if params.Model == "" {
		params.Model = anthropic.Model(stage.Plain)
	}
	params.MaxTokens = 4000
	client := anthropicClient(key, retries)
	return client.Messages.New(context.Background(), params)
}

func messageOf(blocks ...anthropic.ContentBlockParamUnion) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{Messages: []anthropic.MessageParam{anthropic.NewUserMessage(blocks...)}}
}

func messageSaying(text string) anthropic.MessageNewParams {
	return messageOf(anthropic.NewTextBlock(text))
}

func messageUsage(message *anthropic.Message) Usage {
	// The tokens that the cache had are not among the input tokens of this API.
	usage := message.Usage
	return used(usage.InputTokens+usage.CacheReadInputTokens, usage.OutputTokens)
}

// messageText checks that an answer has text, and returns its usage.
func messageText(message *anthropic.Message, err error) (Usage, error) {
	if err != nil {
		return nil, err
	}
	text := ""
	for _, block := range message.Content {
		text += block.Text
	}
	return messageUsage(message), said(text)
}

func messageStream(key, text string) (Usage, error) {
	params := messageSaying(text)
	params.Model = anthropic.Model(stage.Plain)
	params.MaxTokens = 4000
	client := anthropicClient(key, 0)
	stream := client.Messages.NewStreaming(context.Background(), params)
	message := anthropic.Message{}
	stopped := false
	for stream.Next() {
		event := stream.Current()
		stopped = event.Type == "message_stop"
		if err := message.Accumulate(event); err != nil {
			return nil, err
		}
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	if !stopped {
		return nil, errors.New("no message_stop")
	}
	return messageText(&message, nil)
}

// anthropicRefusal checks the status and the text of an error of the SDK.
func anthropicRefusal(err error, status int, text string) error {
	var refusal *anthropic.Error
	if !errors.As(err, &refusal) {
		return fmt.Errorf("not an error of the API: %v", err)
	}
	return isTrue(refusal.StatusCode == status && strings.Contains(refusal.RawJSON(), text), refusal.Error())
}

var anthropicMessages = map[string]Play{
	"models": func(key string) (Usage, error) {
		client := anthropicClient(key, 0)
		page, err := client.Models.List(context.Background(), anthropic.ModelListParams{})
		if err != nil {
			return nil, err
		}
		if len(page.Data) == 0 {
			return nil, errors.New("no models")
		}
		model, err := client.Models.Get(context.Background(), stage.Plain, anthropic.ModelGetParams{})
		if err != nil {
			return nil, err
		}
		return nil, isTrue(model.ID == stage.Plain, "another model: "+model.ID)
	},
	"whole": func(key string) (Usage, error) {
		return messageText(messageAsk(key, messageSaying(stage.Texts["ask"]), 0))
	},
	"limited": func(key string) (Usage, error) {
		return messageText(messageAsk(key, messageSaying(stage.Texts["ask"]), 5))
	},
	"streamed": func(key string) (Usage, error) { return messageStream(key, stage.Texts["ask"]) },
	"tools": func(key string) (Usage, error) {
		params := messageSaying(stage.Texts["tool"])
		params.Tools = []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
			Name:        "get_weather",
			InputSchema: anthropic.ToolInputSchemaParam{Properties: weatherSchema["properties"], Required: []string{"city"}},
		}}}
		first, err := messageAsk(key, params, 0)
		if err != nil {
			return nil, err
		}
		var results []anthropic.ContentBlockParamUnion
		for _, block := range first.Content {
			if block.Type != "tool_use" {
				continue
			}
			if err := isWeatherCall(block.Name, string(block.Input)); err != nil {
				return nil, err
			}
			results = append(results, anthropic.NewToolResultBlock(block.ID, "Sunny", false))
		}
		if len(results) != 1 {
			return nil, errors.New("not one call")
		}
		params.Messages = append(params.Messages, first.ToParam(), anthropic.NewUserMessage(results...))
		usage, err := messageText(messageAsk(key, params, 0))
		if err != nil {
			return nil, err
		}
		before := messageUsage(first)
		return used(before[0]+usage[0], before[1]+usage[1]), nil
	},
	"reasoning": func(key string) (Usage, error) {
		params := messageSaying(stage.Texts["think"])
		params.Model = anthropic.Model(stage.Thinker)
		params.Thinking = anthropic.ThinkingConfigParamOfEnabled(1024)
		message, err := messageAsk(key, params, 0)
		if err != nil {
			return nil, err
		}
		if err := said(message.Content[0].Thinking); err != nil {
			return nil, err
		}
		return messageText(message, nil)
	},
	"image": func(key string) (Usage, error) {
		params := messageOf(anthropic.NewImageBlockBase64("image/png", imageData()), anthropic.NewTextBlock("What is this?"))
		params.Model = anthropic.Model(stage.Thinker)
		return messageText(messageAsk(key, params, 0))
	},
	"cut": func(key string) (Usage, error) {
		_, err := messageStream(key, stage.Texts["cut"])
		return nil, isTrue(err != nil, "the cut stream looks complete")
	},
	"no_credit": func(key string) (Usage, error) {
		_, err := messageAsk(key, messageSaying(stage.Texts["ask"]), 3)
		return nil, anthropicRefusal(err, 402, "out of credit")
	},
	"too_long": func(key string) (Usage, error) {
		_, err := messageAsk(key, messageSaying(stage.Texts["too_long"]), 0)
		return nil, anthropicRefusal(err, 400, "too long")
	},
}
