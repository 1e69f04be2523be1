package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

func goOpenAIClient(key string) *openai.Client {
	config := openai.DefaultConfig(key)
	config.BaseURL = stage.BaseURL
	return openai.NewClientWithConfig(config)
}

func goAsk(key string, request openai.ChatCompletionRequest) (openai.ChatCompletionResponse, error) {
	if request.Model == "" {
		request.Model = stage.Plain
	}
	return goOpenAIClient(key).CreateChatCompletion(context.Background(), request)
}

func goChat(text string) openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{Messages: []openai.ChatCompletionMessage{{Role: "user", Content: text}}}
}

func goUsage(usage openai.Usage) Usage {
	return used(int64(usage.PromptTokens), int64(usage.CompletionTokens))
}

// goText checks that an answer has text, and returns its usage.
func goText(answer openai.ChatCompletionResponse, err error) (Usage, error) {
	if err != nil {
		return nil, err
	}
	return goUsage(answer.Usage), said(answer.Choices[0].Message.Content)
}

func goStream(key, text string) (Usage, error) {
	request := goChat(text)
	request.Model = stage.Plain
	request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	stream, err := goOpenAIClient(key).CreateChatCompletionStream(context.Background(), request)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	all := ""
	var usage Usage
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return usage, said(all)
		}
		if err != nil {
			return nil, err
		}
		if chunk.Usage != nil {
			usage = goUsage(*chunk.Usage)
		}
		for _, choice := range chunk.Choices {
			all += choice.Delta.Content
		}
	}
}

// goRefusal checks the status and the code of an error of the library.
func goRefusal(err error, status int, code string) error {
	var refusal *openai.APIError
	if !errors.As(err, &refusal) {
		return fmt.Errorf("not an error of the API: %v", err)
	}
	return isTrue(refusal.HTTPStatusCode == status && refusal.Code == code, refusal.Error())
}

var goOpenAI = map[string]Play{
	"models": func(key string) (Usage, error) {
		list, err := goOpenAIClient(key).ListModels(context.Background())
		if err != nil {
			return nil, err
		}
		if len(list.Models) == 0 {
			return nil, errors.New("no models")
		}
		model, err := goOpenAIClient(key).GetModel(context.Background(), stage.Plain)
		if err != nil {
			return nil, err
		}
		return nil, isTrue(model.ID == stage.Plain && model.OwnedBy != "", "another model: "+model.ID)
	},
	// The library does not try again, so its users do.
	"limited": func(key string) (Usage, error) {
		for {
			usage, err := goText(goAsk(key, goChat(stage.Texts["ask"])))
			if err == nil || goRefusal(err, 429, "rate_limited") != nil {
				return usage, err
			}
			time.Sleep(time.Second)
		}
	},
	"whole":    func(key string) (Usage, error) { return goText(goAsk(key, goChat(stage.Texts["ask"]))) },
	"streamed": func(key string) (Usage, error) { return goStream(key, stage.Texts["ask"]) },
	"tools": func(key string) (Usage, error) {
		request := goChat(stage.Texts["tool"])
		request.Tools = []openai.Tool{{
			Type:     openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{Name: "get_weather", Parameters: weatherSchema},
		}}
		first, err := goAsk(key, request)
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
		// The library leaves an empty content out.
		result := openai.ChatCompletionMessage{Role: "tool", ToolCallID: call.ID, Content: ""}
		request.Messages = append(request.Messages, message, result)
		usage, err := goText(goAsk(key, request))
		if err != nil {
			return nil, err
		}
		before := goUsage(first.Usage)
		return used(before[0]+usage[0], before[1]+usage[1]), nil
	},
	"image": func(key string) (Usage, error) {
		return goText(goAsk(key, openai.ChatCompletionRequest{
			Model: stage.Thinker,
			Messages: []openai.ChatCompletionMessage{{Role: "user", MultiContent: []openai.ChatMessagePart{
				{Type: openai.ChatMessagePartTypeText, Text: "What is this?"},
				{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: stage.Image}},
			}}},
		}))
	},
	"json": func(key string) (Usage, error) {
		request := goChat(stage.Texts["json"])
		request.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
		answer, err := goAsk(key, request)
		if err != nil {
			return nil, err
		}
		return goUsage(answer.Usage), isJSONObject(answer.Choices[0].Message.Content)
	},
	"cut": func(key string) (Usage, error) {
		_, err := goStream(key, stage.Texts["cut"])
		return nil, isTrue(err != nil, "the cut stream looks complete")
	},
	"no_credit": func(key string) (Usage, error) {
		_, err := goAsk(key, goChat(stage.Texts["ask"]))
		return nil, goRefusal(err, 402, "insufficient_credit")
	},
	"too_long": func(key string) (Usage, error) {
		_, err := goAsk(key, goChat(stage.Texts["too_long"]))
		return nil, goRefusal(err, 400, "context_length_exceeded")
	},
}
