package main

import (
	"context"
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

func responseAsk(key string, params responses.ResponseNewParams, retries int) (*responses.Response, error) {
	if params.Model == "" {
		params.Model = stage.Plain
	}
	client := openaiClient(key, retries)
	return client.Responses.New(context.Background(), params)
}

func responseOf(text string) responses.ResponseNewParams {
	return responses.ResponseNewParams{
		Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(text)},
	}
}

// responseText checks that an answer has text, and returns its usage.
func responseText(answer *responses.Response, err error) (Usage, error) {
	if err != nil {
		return nil, err
	}
	return used(answer.Usage.InputTokens, answer.Usage.OutputTokens), said(answer.OutputText())
}

func responseStream(key, text string) (Usage, error) {
	params := responseOf(text)
	params.Model = stage.Plain
	client := openaiClient(key, 0)
	stream := client.Responses.NewStreaming(context.Background(), params)
	for stream.Next() {
		event := stream.Current()
		if event.Type == "response.completed" {
			return responseText(&event.Response, nil)
		}
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	return nil, errors.New("no response.completed")
}

var openaiResponses = map[string]Play{
	"models": openaiModels,
	"whole": func(key string) (Usage, error) {
		return responseText(responseAsk(key, responseOf(stage.Texts["ask"]), 0))
	},
	"limited": func(key string) (Usage, error) {
		return responseText(responseAsk(key, responseOf(stage.Texts["ask"]), 5))
	},
	"streamed": func(key string) (Usage, error) { return responseStream(key, stage.Texts["ask"]) },
	"tools": func(key string) (Usage, error) {
		params := responseOf(stage.Texts["tool"])
		params.Tools = []responses.ToolUnionParam{{
			OfFunction: &responses.FunctionToolParam{Name: "get_weather", Parameters: weatherSchema},
		}}
		first, err := responseAsk(key, params, 0)
		if err != nil {
			return nil, err
		}
		items := responses.ResponseInputParam{responses.ResponseInputItemParamOfMessage(stage.Texts["tool"], "user")}
		for _, item := range first.Output {
			if item.Type != "function_call" {
				continue
			}
			call := item.AsFunctionCall()
			if err := isWeatherCall(call.Name, call.Arguments); err != nil {
				return nil, err
			}
			output := responses.ResponseInputItemParamOfFunctionCallOutput("Sunny")
			output.OfFunctionCallOutput.CallID = openai.String(call.CallID)
			items = append(items, responses.ResponseInputItemParamOfFunctionCall(call.Arguments, call.CallID, call.Name), output)
		}
		if len(items) != 3 {
			return nil, errors.New("not one call")
		}
		params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: items}
		usage, err := responseText(responseAsk(key, params, 0))
		if err != nil {
			return nil, err
		}
		return used(first.Usage.InputTokens+usage[0], first.Usage.OutputTokens+usage[1]), nil
	},
	"reasoning": func(key string) (Usage, error) {
		params := responseOf(stage.Texts["think"])
		params.Model = stage.Thinker
		params.Reasoning = shared.ReasoningParam{Effort: shared.ReasoningEffortHigh}
		answer, err := responseAsk(key, params, 0)
		if err != nil {
			return nil, err
		}
		if answer.Output[0].Type != "reasoning" || answer.Usage.OutputTokensDetails.ReasoningTokens == 0 {
			return nil, errors.New("no reasoning")
		}
		return responseText(answer, nil)
	},
	"image": func(key string) (Usage, error) {
		parts := responses.ResponseInputMessageContentListParam{
			{OfInputText: &responses.ResponseInputTextParam{Text: "What is this?"}},
			{OfInputImage: &responses.ResponseInputImageParam{ImageURL: openai.String(stage.Image), Detail: "auto"}},
		}
		items := responses.ResponseInputParam{responses.ResponseInputItemParamOfMessage(parts, "user")}
		return responseText(responseAsk(key, responses.ResponseNewParams{
			Model: stage.Thinker,
			Input: responses.ResponseNewParamsInputUnion{OfInputItemList: items},
		}, 0))
	},
	"json": func(key string) (Usage, error) {
		params := responseOf(stage.Texts["json"])
		params.Text.Format.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
		answer, err := responseAsk(key, params, 0)
		if err != nil {
			return nil, err
		}
		return used(answer.Usage.InputTokens, answer.Usage.OutputTokens), isJSONObject(answer.OutputText())
	},
	"cut": func(key string) (Usage, error) {
		_, err := responseStream(key, stage.Texts["cut"])
		return nil, isTrue(err != nil, "the cut stream looks complete")
	},
	"no_credit": func(key string) (Usage, error) {
		_, err := responseAsk(key, responseOf(stage.Texts["ask"]), 3)
		return nil, openaiRefusal(err, 402, "insufficient_credit")
	},
	"too_long": func(key string) (Usage, error) {
		_, err := responseAsk(key, responseOf(stage.Texts["too_long"]), 0)
		return nil, openaiRefusal(err, 400, "context_length_exceeded")
	},
}
