//! A webhook, signed as Standard Webhooks says: `nudge.new`, `nudge.reminder`, `nudge.escalation`,
//! `nudge.test`, and `nudge.closed` when the ask has ended.

use std::path::Path;

use serde_json::json;

use super::carrier::{Carrier, Later, SendError};
use super::nudge::{Ended, Letter};
use askuser_config::WebhookPart;
use askuser_desk::Clock;
use askuser_net::http::Http;
use askuser_net::webhook::Webhook;
use askuser_wire::time;
use askuser_words::nudge::Undelivered;
use askuser_words::{Both, both};

pub(super) struct Hook {
    webhook: Webhook,
    http: Http,
    clock: Clock,
}

impl Hook {
    pub(super) fn new(part: &WebhookPart, folder: &Path, http: Http, clock: Clock) -> Result<Self, Both> {
        let webhook = Webhook::new(&part.url, &part.secret.reveal(folder)?);
        let webhook = webhook.map_err(|_| both(Undelivered::no_webhook_secret))?;
        Ok(Self { webhook, http, clock })
    }

    async fn post(&self, id: &str, body: &str) -> Result<(), SendError> {
        let told = self.webhook.send(&self.http, id, (self.clock)(), body).await;
        SendError::of(&told.map_err(SendError::unanswered)?)
    }
}

impl Carrier for Hook {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, SendError>> {
        Box::pin(async move {
            self.post(&letter.id, &letter.message((self.clock)())).await?;
            Ok(letter.id.clone())
        })
    }

    fn take_back<'a>(&'a self, receipt: &'a str, ended: &'a Ended) -> Later<'a, Result<(), SendError>> {
        Box::pin(async move {
            let mut data = ended.json();
            if let Some(data) = data.as_object_mut() {
                data.insert("id".to_owned(), receipt.into());
            }
            let now = time::write((self.clock)());
            let message = json!({"type": "nudge.closed", "timestamp": now, "data": data});
            self.post(&format!("{receipt}_closed"), &message.to_string()).await
        })
    }
}
