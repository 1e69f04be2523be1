// Plays the scenes of one client, and prints what came of each as a line of JSON: `clients openai-chat`.
//
// Standard input has the service and the texts (test/clients/stage.ts, Stage).
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

type Stage struct {
	BaseURL string            `json:"base_url"`
	Origin  string            `json:"origin"`
	Plain   string            `json:"plain"`
	Thinker string            `json:"thinker"`
	Image   string            `json:"image"`
	Texts   map[string]string `json:"texts"`
	Scenes  []string          `json:"scenes"`
	Keys    map[string]string `json:"keys"`
}

// Usage has the prompt and the completion tokens that a client reported. It is nil if it reported none.
type Usage = *[2]int64

// A Play returns an error if the client does not show what it should.
type Play func(key string) (Usage, error)

type outcome struct {
	Scene   string  `json:"scene"`
	Failure *string `json:"failure"`
	Usage   Usage   `json:"usage"`
}

var stage Stage

var weatherSchema = map[string]any{
	"type":       "object",
	"properties": map[string]any{"city": map[string]any{"type": "string"}},
	"required":   []string{"city"},
}

var clients = map[string]map[string]Play{
	"openai-chat":      openaiChat,
	"openai-responses": openaiResponses,
	"anthropic":        anthropicMessages,
	"go-openai":        goOpenAI,
}

func main() {
	if err := json.NewDecoder(os.Stdin).Decode(&stage); err != nil {
		panic(err)
	}
	scenes := clients[os.Args[1]]
	for _, name := range stage.Scenes {
		play, has := scenes[name]
		if !has {
			continue
		}
		result := outcome{Scene: name}
		usage, err := play(stage.Keys[name])
		if err != nil {
			failure := err.Error()
			result.Failure = &failure
		}
		result.Usage = usage
		line, _ := json.Marshal(result)
		fmt.Println("OUTCOME " + string(line))
	}
}

func used(prompt, completion int64) Usage { return &[2]int64{prompt, completion} }

func said(text string) error {
	if len(text) < 10 {
		return fmt.Errorf("no text: %q", text)
	}
	return nil
}

func isTrue(what bool, text string) error {
	if !what {
		return errors.New(text)
	}
	return nil
}

// isWeatherCall checks the arguments of a call of get_weather.
func isWeatherCall(name, arguments string) error {
	var given map[string]any
	if err := json.Unmarshal([]byte(arguments), &given); err != nil {
		return err
	}
	return isTrue(name == "get_weather" && given["city"] != nil, "not a call of get_weather: "+name)
}

func isJSONObject(text string) error {
	var object map[string]any
	return json.Unmarshal([]byte(text), &object)
}

func imageData() string { return stage.Image[strings.Index(stage.Image, ",")+1:] }
