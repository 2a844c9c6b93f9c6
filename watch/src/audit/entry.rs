//! One entry of the log of decisions.

use askuser_core::answer::Answers;
use askuser_core::ask::Ask;
use askuser_core::fact::Fact;
use askuser_core::outcome::{AnsweredBy, By, Ending, Outcome};
use askuser_core::question::Question;
use askuser_core::time::Timestamp;

use askuser_desk::Numbered;
use askuser_wire::ask::source;
use askuser_wire::session::SessionNames;

/// What happened, for whoever reads it later.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entry {
    /// The number of its fact.
    pub number: u64,
    pub at: Timestamp,
    /// What: `ask`, `show`, `answer`, `cancel`, `timeout`, ….
    pub action: &'static str,
    /// The session, by our id.
    pub session: String,
    /// As its caller named it, else ours.
    pub session_id: String,
    pub ask: Option<String>,
    pub round: Option<u32>,
    /// Who was asked.
    pub owner: String,
    /// Who asked.
    pub agent: Option<String>,
    /// With which API key.
    pub asked_by: Option<String>,
    /// For which project.
    pub project: Option<String>,
    /// What the asker says it comes from (`metadata.source`, E4).
    pub source: Option<String>,
    /// Who did it; none where it was the server or nobody.
    pub user: Option<String>,
    /// Through what.
    pub channel: Option<String>,
    /// How we know.
    pub proof: Option<&'static str>,
    /// With which program, where the desk could look at it.
    pub program: Option<String>,
    /// The agent's mark that was found on it.
    pub mark: Option<String>,
    /// From which address.
    pub address: Option<String>,
    /// Who gave the answers: `person`, `default`, `rule`.
    pub answered_by: Option<&'static str>,
    /// How long after asking.
    pub wait_ms: Option<u64>,
    /// What was asked, and what was answered to it.
    pub said: Vec<AuditAnswer>,
    /// What the agent told of why it asks.
    pub context: Option<String>,
    /// What the person said with it.
    pub comment: Option<String>,
    /// Whether what it told was erased.
    pub erased: bool,
}

/// A question and what was answered to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditAnswer {
    /// The question's id.
    pub question_id: String,
    pub question: String,
    /// What stands below it: of a permission, what is to be run.
    pub description: Option<String>,
    /// The answer: labels and texts. Of a secret one, where it stands, and not what it says.
    pub answer: Option<String>,
    /// A remark beside it.
    pub note: Option<String>,
}

/// Returns the word for what happened; none where it is no decision.
pub(super) fn action(numbered: &Numbered) -> Option<&'static str> {
    Some(match numbered.fact.as_deref() {
        Some(Fact::Asked(_)) => "ask",
        Some(Fact::Shown { .. }) => "show",
        Some(Fact::Closed { outcome, .. }) => match outcome.ending {
            Ending::Answered(
                AnsweredBy::Person | AnsweredBy::Rule | AnsweredBy::AgentDialog | AnsweredBy::Collected,
            ) => "answer",
            Ending::Declined => "cancel",
            Ending::Withdrawn => "withdraw",
            Ending::Answered(AnsweredBy::Default) | Ending::Expired { .. } => "timeout",
        },
        Some(Fact::Heard { .. }) => "voice",
        Some(Fact::Escalated { .. }) => "escalate",
        Some(Fact::AnsweredLate { .. }) => "answer_late",
        Some(Fact::Reopened { .. }) => "reopen",
        None if numbered.ask.is_some() => "erased",
        _ => return None,
    })
}

impl Entry {
    pub(super) fn of(
        action: &'static str,
        numbered: &Numbered,
        session: SessionNames<'_>,
        ask: Option<&Ask>,
        address: Option<String>,
    ) -> Self {
        let mut entry = Self {
            number: numbered.number,
            at: numbered.at,
            action,
            session: session.id.to_string(),
            session_id: session.session_id(),
            ask: numbered.ask.map(|ask| ask.to_string()),
            owner: numbered.owner.to_string(),
            address,
            erased: numbered.fact.is_none(),
            ..Self::default()
        };
        if let Some(ask) = ask {
            entry.round = Some(ask.round);
            entry.agent.clone_from(&ask.terms.asker.agent);
            entry.asked_by = ask.asked_by.map(|key| format!("{:032x}", key.0));
            entry.project.clone_from(&ask.terms.asker.project);
            entry.source = source(&ask.terms);
            entry.context.clone_from(&ask.terms.context);
            entry.said = ask.questions.all().into_iter().map(|question| said(ask, question, None)).collect();
        }
        match (numbered.fact.as_deref(), ask) {
            (Some(Fact::Closed { outcome, .. }), ask) => entry.closed(outcome, ask),
            (Some(Fact::Heard { voice, .. }), ask) => {
                entry.by(&voice.by);
                entry.comment.clone_from(&voice.comment);
                if let (Some(answers), Some(ask)) = (&voice.answers, ask) {
                    entry.answered(answers, ask);
                }
            }
            (Some(Fact::AnsweredLate { answers, by, .. }), Some(ask)) => {
                entry.by(by);
                entry.answered(answers, ask);
            }
            _ => {}
        }
        entry
    }

    fn closed(&mut self, outcome: &Outcome, ask: Option<&Ask>) {
        self.by(&outcome.by);
        self.comment.clone_from(&outcome.comment);
        self.answered_by = outcome.answered_by();
        if let Some(ask) = ask {
            let waited = outcome.at.since(ask.asked_at).as_millis();
            self.wait_ms = Some(u64::try_from(waited).unwrap_or(u64::MAX));
            self.answered(&outcome.answers, ask);
        }
    }

    fn by(&mut self, by: &By) {
        self.user = by.user.as_ref().map(ToString::to_string);
        self.channel = Some(by.channel.name().to_owned());
        self.proof = Some(by.proof.name());
        self.program = by.program.as_ref().map(|program| program.path.clone());
        self.mark = by.program.as_ref().and_then(|program| program.mark.clone());
    }

    fn answered(&mut self, answers: &Answers, ask: &Ask) {
        let all = ask.questions.all().into_iter();
        self.said = all.map(|question| said(ask, question, Some(answers))).collect();
    }

    /// Returns every text in it that somebody wrote.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let said = self.said.iter().flat_map(|said| {
            let texts = [said.description.as_ref(), said.answer.as_ref(), said.note.as_ref()];
            [Some(&said.question)].into_iter().chain(texts).flatten()
        });
        let own = [self.context.as_ref(), self.comment.as_ref(), self.agent.as_ref(), self.project.as_ref()];
        said.chain(own.into_iter().flatten()).map(String::as_str)
    }
}

fn said(ask: &Ask, question: &Question, answers: Option<&Answers>) -> AuditAnswer {
    let answer = answers.and_then(|answers| answers.0.iter().find(|answer| answer.question == question.id));
    let answer = answer.filter(|answer| !answer.skipped);
    let mut said = AuditAnswer {
        question_id: question.id.to_string(),
        question: question.text.clone(),
        description: question.description.clone(),
        ..AuditAnswer::default()
    };
    let Some(answer) = answer else { return said };
    if question.secret {
        // A reference: whoever may know it asks the desk, as the person it belongs to.
        said.answer = Some(format!("secret:{}/{}", ask.id, question.id));
        return said;
    }
    let labels = answer
        .picked
        .iter()
        .map(|id| question.choice(id).map_or_else(|| id.to_string(), |choice| choice.label.clone()));
    let parts: Vec<String> = labels.chain(answer.text.clone()).collect();
    said.answer = Some(parts.join(", "));
    said.note.clone_from(&answer.note);
    said
}
