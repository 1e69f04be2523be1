//! Plays the scenes of one client, and prints what came of each as a line of JSON.
//!
//! Standard input has the service and the texts (test/clients/stage.ts, Stage).

mod chat;
mod responses;

use async_openai::{Client, config::OpenAIConfig, error::OpenAIError};
use serde_json::{Value, json};

/// The prompt tokens and completion tokens that a client reported, where it reports any.
pub type Usage = Option<(u32, u32)>;
/// An error if the client does not show what it should.
pub type Played = Result<Usage, Box<dyn std::error::Error>>;

/// One scene: the service and the key to play it with.
pub struct Scene {
    pub stage: Value,
    pub client: Client<OpenAIConfig>,
}

impl Scene {
    fn of(stage: &Value, name: &str) -> Self {
        let config = OpenAIConfig::new()
            .with_api_base(text(&stage["base_url"]))
            .with_api_key(text(&stage["keys"][name]));
        Self {
            stage: stage.clone(),
            client: Client::with_config(config),
        }
    }

    pub fn text(&self, name: &str) -> &str {
        text(&self.stage["texts"][name])
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub fn weather_schema() -> Value {
    json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] })
}

pub fn is_true(what: bool, otherwise: &str) -> Result<(), Box<dyn std::error::Error>> {
    if what { Ok(()) } else { Err(otherwise.into()) }
}

pub fn said(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    is_true(text.len() >= 10, &format!("no text: {text:?}"))
}

/// Checks the arguments of a call of get_weather.
pub fn is_weather_call(name: &str, arguments: &str) -> Result<(), Box<dyn std::error::Error>> {
    let given: Value = serde_json::from_str(arguments)?;
    is_true(
        name == "get_weather" && given["city"].is_string(),
        "not a call of get_weather",
    )
}

/// Checks the status and the code of an error of the client.
pub fn is_refusal<T>(result: Result<T, OpenAIError>, status: u16, code: &str) -> Played {
    match result {
        Err(OpenAIError::ApiError(error)) => {
            let found = (error.status_code.as_u16(), error.api_error.code.as_deref());
            is_true(
                found == (status, Some(code)),
                &format!("another error: {found:?}"),
            )?;
            Ok(None)
        }
        Err(error) => Err(format!("not an error of the API: {error:?}").into()),
        Ok(_) => Err("no error".into()),
    }
}

pub async fn models(scene: &Scene) -> Played {
    let plain = text(&scene.stage["plain"]);
    let listed = scene.client.models().list().await?;
    is_true(
        listed.data.iter().any(|model| model.id == plain),
        "the model is not listed",
    )?;
    let one = scene.client.models().retrieve(plain).await?;
    is_true(one.id == plain && !one.owned_by.is_empty(), "another model")?;
    Ok(None)
}

#[tokio::main]
async fn main() {
    let stage: Value = serde_json::from_reader(std::io::stdin()).expect("a stage");
    let api = std::env::args().nth(1).expect("chat or responses");
    for name in stage["scenes"].as_array().expect("scenes").iter().map(text) {
        let scene = Scene::of(&stage, name);
        let played = match api.as_str() {
            "chat" => chat::play(&scene, name).await,
            _ => responses::play(&scene, name).await,
        };
        let Some(played) = played else { continue };
        let (failure, usage) = match played {
            Ok(usage) => (None, usage),
            Err(error) => (Some(error.to_string()), None),
        };
        println!(
            "OUTCOME {}",
            json!({ "scene": name, "failure": failure, "usage": usage })
        );
    }
}
