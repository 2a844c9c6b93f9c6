//! What the inbox has done at the desk, without holding the person up: each errand runs by itself and
//! comes back as news.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::alike::taken_over;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::outcome::{AnsweredBy, Ending};
use askuser_core::question::Questions;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep};

use super::action::Deed;
use askuser_client::error::ClientError;
use askuser_client::events::{Event, StreamUpdate};
use askuser_client::seen::SeenAsk;
use askuser_client::{Answered, Client, Lookup};
use askuser_core::command::KeyRole;

/// How long a search rests before the desk is asked: whoever types is not done.
const REST: Duration = Duration::from_millis(120);
/// How often it is looked whether a desk that is away has to be started.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Pages looked through for an earlier answer, and of a conversation.
const PAGES_MAX: usize = 10;
/// Words of a question by which an earlier answer to it is looked for, and letters of each.
const WORDS_MAX: (usize, usize) = (8, 40);

/// What comes back from the desk.
#[derive(Debug)]
pub(super) enum News {
    /// Everything that is open.
    Listed(Vec<SeenAsk>),
    /// Something happened.
    Event(Event),
    /// The line to the desk was cut.
    Away,
    /// It is there again.
    Back,
    /// What is known of an ask now.
    Seen(Box<SeenAsk>),
    /// Answers arrived, for each ask or not.
    Sent {
        /// What came of each.
        answered: Vec<Answered>,
        /// What was sent, for the person.
        said: String,
    },
    /// An answer by one press is held, or was taken back.
    Held(Box<SeenAsk>),
    /// It was final already.
    NotTakenBack(Box<SeenAsk>),
    /// An ask was declined.
    Declined(AskId),
    /// Somebody else was first.
    TooLate(Box<SeenAsk>),
    /// The desk said no.
    Refused {
        /// To what was done with these.
        asks: Vec<AskId>,
        /// Why; none where it was done meanwhile.
        why: Option<ClientError>,
    },
    /// A page of the history.
    Found {
        /// What was searched for.
        words: String,
        /// What was found.
        asks: Vec<SeenAsk>,
        /// Where it goes on.
        next: Option<AskId>,
        /// Whether it is the first page.
        from_the_beginning: bool,
    },
    /// The rounds of a conversation that ended, oldest first.
    Talked {
        /// Which.
        session: String,
        /// Its rounds.
        asks: Vec<SeenAsk>,
    },
    /// An earlier answer to the same questions; nothing where there is none.
    Reused {
        /// For this ask.
        ask: AskId,
        /// The answer, and the ask that it was given to.
        found: Option<Earlier>,
    },
    /// Something could not be looked at.
    Failed(ClientError),
    /// The desk does not let us listen any more.
    Ended(ClientError),
}

/// Whoever runs the errands.
pub(super) struct Errands {
    client: Client,
    news: UnboundedSender<News>,
    /// What must arrive before the program ends.
    sending: JoinSet<()>,
    /// The search under way.
    searching: Option<AbortHandle>,
}

impl Errands {
    /// Returns the errands and where their news come in.
    pub(super) fn new(client: Client) -> (Self, UnboundedReceiver<News>) {
        let (news, received) = unbounded_channel();
        (Self { client, news, sending: JoinSet::new(), searching: None }, received)
    }

    /// Listens to the desk from now on, and brings the list of what is open, first of all and each time
    /// the line was cut.
    pub(super) async fn listen(&self) -> Result<(), ClientError> {
        let mut events = self.client.events(KeyRole::Person, None);
        // Listen before looking: what is asked between the two would otherwise be missed.
        events.connect().await?;
        self.report(News::Listed(self.client.inbox().await?));
        let (client, news) = (self.client.clone(), self.news.clone());
        tokio::spawn(async move {
            let mut starting: Option<AbortHandle> = None;
            loop {
                let heard = match events.hear().await {
                    Ok(heard) => heard,
                    Err(error) => return drop(news.send(News::Ended(error))),
                };
                let told = match heard {
                    StreamUpdate::Event(event) => news.send(News::Event(event)),
                    StreamUpdate::Away => {
                        starting = Some(tokio::spawn(start_again(client.clone())).abort_handle());
                        news.send(News::Away)
                    }
                    StreamUpdate::Back => {
                        starting.take().inspect(AbortHandle::abort);
                        tokio::spawn(list(client.clone(), news.clone()));
                        news.send(News::Back)
                    }
                };
                if told.is_err() {
                    return;
                }
            }
        });
        Ok(())
    }

    /// Looks at an ask again.
    pub(super) fn look(&self, ask: AskId) {
        let (client, news) = (self.client.clone(), self.news.clone());
        tokio::spawn(async move {
            // One that cannot be looked at stays as it is known: the next event is another chance.
            if let Ok(seen) = client.get(KeyRole::Person, ask, None, Duration::ZERO).await {
                drop(news.send(News::Seen(Box::new(seen))));
            }
        });
    }

    /// Sends what the person did, and stays at it until it arrives.
    pub(super) fn send(&mut self, deed: Deed) {
        let (client, news) = (self.client.clone(), self.news.clone());
        self.sending.spawn(async move { drop(news.send(deed.carried_out(&client).await)) });
    }

    /// Looks through the history: from its beginning, or after an ask.
    pub(super) fn search(&mut self, words: String, after: Option<AskId>) {
        let (client, news) = (self.client.clone(), self.news.clone());
        let task = tokio::spawn(async move {
            sleep(REST).await;
            drop(news.send(
                match client.history(Lookup { words: &words, after, ..Lookup::default() }).await {
                    Ok(page) => {
                        let (asks, next) = (page.asks, page.next);
                        News::Found { words, asks, next, from_the_beginning: after.is_none() }
                    }
                    Err(error) => News::Failed(error),
                },
            ));
        });
        // What was searched for before is not wanted any more.
        self.searching.replace(task.abort_handle()).inspect(AbortHandle::abort);
    }

    /// Brings the rounds of a conversation that ended.
    pub(super) fn tell_of(&self, session: String) {
        let (client, news) = (self.client.clone(), self.news.clone());
        tokio::spawn(async move {
            drop(news.send(match rounds(&client, &session).await {
                Ok(asks) => News::Talked { session, asks },
                Err(error) => News::Failed(error),
            }));
        });
    }

    /// Looks for an earlier answer to the same questions; `n_before` of them are known already.
    pub(super) fn reuse(&self, ask: AskId, questions: Arc<Questions>, n_before: usize) {
        let (client, news) = (self.client.clone(), self.news.clone());
        tokio::spawn(async move {
            drop(news.send(match earlier(&client, &questions, n_before).await {
                Ok(found) => News::Reused { ask, found },
                Err(error) => News::Failed(error),
            }));
        });
    }

    /// Returns how many things are on their way.
    pub(super) fn n_sending(&mut self) -> usize {
        while self.sending.try_join_next().is_some() {}
        self.sending.len()
    }

    /// Waits until everything has arrived.
    pub(super) async fn arrive(&mut self) {
        while self.sending.join_next().await.is_some() {}
    }

    fn report(&self, news: News) {
        // Whoever does not listen any more has left.
        drop(self.news.send(news));
    }
}

async fn list(client: Client, news: UnboundedSender<News>) {
    let told = match client.inbox().await {
        Ok(asks) => News::Listed(asks),
        Err(error) => News::Failed(error),
    };
    drop(news.send(told));
}

/// Starts a desk of this machine that crashed, where nobody else does.
async fn start_again(client: Client) {
    let since = Instant::now();
    loop {
        sleep(LOOK_EVERY).await;
        client.start_again(since).await;
    }
}

async fn rounds(client: &Client, session: &str) -> Result<Vec<SeenAsk>, ClientError> {
    let mut asks = Vec::new();
    let mut after = None;
    for _ in 0..PAGES_MAX {
        let page = client.history(Lookup { session: Some(session), after, ..Lookup::default() }).await?;
        asks.extend(page.asks);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    asks.reverse();
    Ok(asks)
}

/// An earlier answer as a sheet for other questions, and the ask that it was given to.
pub(super) type Earlier = (Vec<(QuestionId, Entry)>, Box<SeenAsk>);

async fn earlier(
    client: &Client,
    questions: &Questions,
    n_before: usize,
) -> Result<Option<Earlier>, ClientError> {
    let words = words_of(questions);
    let mut known: Vec<Vec<(QuestionId, Entry)>> = Vec::new();
    let mut after = None;
    for _ in 0..PAGES_MAX {
        let page = client.history(Lookup { words: &words, after, ..Lookup::default() }).await?;
        for seen in page.asks {
            let answered = seen.outcome.as_ref();
            let by_person = answered.filter(|it| it.ending == Ending::Answered(AnsweredBy::Person));
            let entries = by_person
                .and_then(|outcome| taken_over(&seen.questions, questions, &outcome.answers.entries()))
                .filter(|entries| !entries.is_empty() && !known.contains(entries));
            let Some(entries) = entries else { continue };
            if known.len() == n_before {
                return Ok(Some((entries, Box::new(seen))));
            }
            known.push(entries);
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(None)
}

/// Returns a few words by which the same questions are found.
fn words_of(questions: &Questions) -> String {
    let text = questions.top().first().map_or("", |question| question.text.as_str());
    let words = text.split_whitespace().take(WORDS_MAX.0);
    let words = words.map(|word| word.chars().take(WORDS_MAX.1).collect::<String>());
    words.collect::<Vec<_>>().join(" ")
}
