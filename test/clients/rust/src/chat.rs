//! Chat Completions of async-openai. Its requests have no `reasoning`.

use async_openai::error::OpenAIError;
use async_openai::types::chat::{
    ChatCompletionMessageToolCalls, CompletionUsage, CreateChatCompletionResponse,
};
use futures::StreamExt;
use serde_json::{Value, json};

use crate::{
    Played, Scene, Usage, is_refusal, is_true, is_weather_call, models, said, weather_schema,
};

pub async fn play(scene: &Scene, name: &str) -> Option<Played> {
    Some(match name {
        "models" => models(scene).await,
        "whole" | "limited" => whole(scene).await,
        "streamed" => stream(scene, scene.text("ask")).await,
        "tools" => tools(scene).await,
        "image" => image(scene).await,
        "json" => json_object(scene).await,
        "cut" => match stream(scene, scene.text("cut")).await {
            Err(_) => Ok(None),
            Ok(_) => Err("the cut stream looks complete".into()),
        },
        "no_credit" => is_refusal(
            ask(scene, of(scene.text("ask"))).await,
            402,
            "insufficient_credit",
        ),
        "too_long" => is_refusal(
            ask(scene, of(scene.text("too_long"))).await,
            400,
            "context_length_exceeded",
        ),
        _ => return None,
    })
}

fn of(content: &str) -> Value {
    json!({ "messages": [{ "role": "user", "content": content }] })
}

fn with_model(scene: &Scene, mut request: Value) -> Value {
    if request["model"].is_null() {
        request["model"] = scene.stage["plain"].clone();
    }
    request
}

async fn ask(scene: &Scene, request: Value) -> Result<CreateChatCompletionResponse, OpenAIError> {
    let request = serde_json::from_value(with_model(scene, request)).expect("a request");
    scene.client.chat().create(request).await
}

fn usage(usage: &Option<CompletionUsage>) -> Usage {
    usage
        .as_ref()
        .map(|usage| (usage.prompt_tokens, usage.completion_tokens))
}

fn content(answer: &CreateChatCompletionResponse) -> &str {
    answer.choices[0]
        .message
        .content
        .as_deref()
        .unwrap_or_default()
}

async fn whole(scene: &Scene) -> Played {
    let answer = ask(scene, of(scene.text("ask"))).await?;
    said(content(&answer))?;
    Ok(usage(&answer.usage))
}

async fn stream(scene: &Scene, prompt: &str) -> Played {
    let mut request = with_model(scene, of(prompt));
    request["stream_options"] = json!({ "include_usage": true });
    let mut chunks = scene
        .client
        .chat()
        .create_stream(serde_json::from_value(request)?)
        .await?;
    let (mut said_all, mut last) = (String::new(), None);
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        if let Some(choice) = chunk.choices.first() {
            said_all.push_str(choice.delta.content.as_deref().unwrap_or_default());
        }
        last = usage(&chunk.usage).or(last);
    }
    said(&said_all)?;
    is_true(last.is_some(), "no usage")?;
    Ok(last)
}

async fn tools(scene: &Scene) -> Played {
    let function = json!({ "name": "get_weather", "parameters": weather_schema() });
    let mut request = json!({
        "messages": [
            { "role": "developer", "content": "Be brief." },
            { "role": "user", "content": scene.text("tool") },
        ],
        "tools": [{ "type": "function", "function": function }],
    });
    let first = ask(scene, request.clone()).await?;
    let message = &first.choices[0].message;
    let Some([ChatCompletionMessageToolCalls::Function(call)]) = message.tool_calls.as_deref()
    else {
        return Err("not one call".into());
    };
    is_weather_call(&call.function.name, &call.function.arguments)?;
    let messages = request["messages"].as_array_mut().expect("messages");
    messages.push(json!({ "role": "assistant", "tool_calls": message.tool_calls }));
    messages.push(json!({ "role": "tool", "tool_call_id": call.id, "content": "Sunny" }));
    let second = ask(scene, request).await?;
    said(content(&second))?;
    let (Some((prompt, completion)), Some(more)) = (usage(&first.usage), usage(&second.usage))
    else {
        return Err("no usage".into());
    };
    Ok(Some((prompt + more.0, completion + more.1)))
}

async fn image(scene: &Scene) -> Played {
    let mut request = of("");
    request["model"] = scene.stage["thinker"].clone();
    request["messages"][0]["content"] = json!([
        { "type": "text", "text": "What is this?" },
        { "type": "image_url", "image_url": { "url": scene.stage["image"] } },
    ]);
    let answer = ask(scene, request).await?;
    said(content(&answer))?;
    Ok(usage(&answer.usage))
}

async fn json_object(scene: &Scene) -> Played {
    let mut request = of(scene.text("json"));
    request["response_format"] = json!({ "type": "json_object" });
    let answer = ask(scene, request).await?;
    let object: Value = serde_json::from_str(content(&answer))?;
    is_true(object.is_object(), "no JSON object")?;
    Ok(usage(&answer.usage))
}
