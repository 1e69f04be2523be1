//! Responses of async-openai.

use async_openai::error::OpenAIError;
use async_openai::types::responses::{OutputItem, Response, ResponseStreamEvent};
use futures::StreamExt;
use serde_json::{Value, json};

use crate::{Played, Scene, is_refusal, is_true, is_weather_call, models, said, weather_schema};

pub async fn play(scene: &Scene, name: &str) -> Option<Played> {
    Some(match name {
        "models" => models(scene).await,
        "whole" | "limited" => whole(scene).await,
        "streamed" => stream(scene, scene.text("ask")).await,
        "tools" => tools(scene).await,
        "reasoning" => reasoning(scene).await,
        "image" => image(scene).await,
        "json" => json_object(scene).await,
        "cut" => match stream(scene, scene.text("cut")).await {
            Err(_) => Ok(None),
            Ok(_) => Err("the cut stream looks complete".into()),
        },
        "no_credit" => is_refusal(
            ask(scene, of(scene, "ask")).await,
            402,
            "insufficient_credit",
        ),
        "too_long" => is_refusal(
            ask(scene, of(scene, "too_long")).await,
            400,
            "context_length_exceeded",
        ),
        _ => return None,
    })
}

fn of(scene: &Scene, name: &str) -> Value {
    json!({ "model": scene.stage["plain"], "input": scene.text(name) })
}

async fn ask(scene: &Scene, request: Value) -> Result<Response, OpenAIError> {
    let request = serde_json::from_value(request).expect("a request");
    scene.client.responses().create(request).await
}

fn usage(answer: &Response) -> Played {
    let usage = answer.usage.as_ref().ok_or("no usage")?;
    Ok(Some((usage.input_tokens, usage.output_tokens)))
}

/// Checks that an answer has text, and returns its usage.
fn used(answer: &Response) -> Played {
    said(&answer.output_text().unwrap_or_default())?;
    usage(answer)
}

async fn whole(scene: &Scene) -> Played {
    used(&ask(scene, of(scene, "ask")).await?)
}

async fn stream(scene: &Scene, prompt: &str) -> Played {
    let request = json!({ "model": scene.stage["plain"], "input": prompt });
    let mut events = scene
        .client
        .responses()
        .create_stream(serde_json::from_value(request)?)
        .await?;
    while let Some(event) = events.next().await {
        if let ResponseStreamEvent::ResponseCompleted(completed) = event? {
            return used(&completed.response);
        }
    }
    Err("no response.completed".into())
}

async fn tools(scene: &Scene) -> Played {
    let mut request = of(scene, "tool");
    request["tools"] = json!([
        { "type": "function", "name": "get_weather", "parameters": weather_schema() },
    ]);
    let first = ask(scene, request.clone()).await?;
    let [OutputItem::FunctionCall(call)] = first.output.as_slice() else {
        return Err("not one call".into());
    };
    is_weather_call(&call.name, &call.arguments)?;
    request["input"] = json!([
        { "type": "message", "role": "user", "content": scene.text("tool") },
        { "type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments },
        { "type": "function_call_output", "call_id": call.call_id, "output": "Sunny" },
    ]);
    let second = ask(scene, request).await?;
    let (Some((prompt, completion)), Some(more)) = (usage(&first)?, used(&second)?) else {
        return Err("no usage".into());
    };
    Ok(Some((prompt + more.0, completion + more.1)))
}

async fn reasoning(scene: &Scene) -> Played {
    let mut request = of(scene, "think");
    request["model"] = scene.stage["thinker"].clone();
    request["reasoning"] = json!({ "effort": "high" });
    let answer = ask(scene, request).await?;
    let tokens = answer
        .usage
        .as_ref()
        .map(|usage| usage.output_tokens_details.reasoning_tokens);
    let thought = matches!(answer.output.first(), Some(OutputItem::Reasoning(_)));
    is_true(thought && tokens > Some(0), "no reasoning")?;
    used(&answer)
}

async fn image(scene: &Scene) -> Played {
    let parts = json!([
        { "type": "input_text", "text": "What is this?" },
        { "type": "input_image", "image_url": scene.stage["image"], "detail": "auto" },
    ]);
    let input = json!([{ "type": "message", "role": "user", "content": parts }]);
    used(
        &ask(
            scene,
            json!({ "model": scene.stage["thinker"], "input": input }),
        )
        .await?,
    )
}

async fn json_object(scene: &Scene) -> Played {
    let mut request = of(scene, "json");
    request["text"] = json!({ "format": { "type": "json_object" } });
    let answer = ask(scene, request).await?;
    let object: Value = serde_json::from_str(&answer.output_text().unwrap_or_default())?;
    is_true(object.is_object(), "no JSON object")?;
    usage(&answer)
}
