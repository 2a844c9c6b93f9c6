//! Rules: what always has the same answer; and what a person's asks say together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::asks::Listing;
use crate::query::query;
use crate::route::{Done, routes};

routes! {
    ShowInsight(Person, Reads) Get "/api/insight" query Zone; => Insight:
        "Statistics of this person's asks: by day, response time, agent and outcome";
    ListRules(Person, Reads) Get "/api/rules" query Listing; => Rules:
        "Rules that this person made from answers, newest first";
    MakeRule(Person, Writes) Post "/api/rules" body NewRule; status &[201]; => Rule:
        "Creates a rule: the same answer to this question, from this agent in this project, until a time";
    RemoveRule(Person, Writes) Delete "/api/rules/{rule_id}" => Done: "Removes a rule";
}

/// Rules.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    /// Those made from answers.
    pub rules: Vec<Rule>,
    /// Those for permissions, written by hand and confirmed on the page.
    pub permissions: Vec<PermissionRule>,
}

/// A rule that was made from an answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    /// Its id.
    pub rule_id: String,
    /// What it is called in an outcome.
    pub name: String,
    /// The ask that it was made from.
    pub ask_id: String,
    /// When it was made.
    pub made_at: String,
    /// When it ends.
    pub until: String,
    /// The agent that it answers.
    pub agent: Option<String>,
    /// The project, or its folder.
    pub project: Option<String>,
    /// Whether it answers anything.
    pub holds: bool,
    /// What is asked, and the answer.
    pub answers: Vec<Says>,
    /// The shortest end of its id that stands for it, where that was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_id: Option<String>,
}

/// A question and its answer, in words.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Says {
    /// What is asked.
    pub question: String,
    /// What is answered.
    pub answer: String,
}

/// A rule for permissions.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PermissionRule {
    /// The digest of its text.
    pub digest: String,
    /// Its name, where it has one and is in the file.
    pub name: Option<String>,
    /// All of it.
    pub text: String,
    /// Whether it is in the file now.
    pub in_file: bool,
    /// Since when the person has confirmed it.
    pub confirmed_at: Option<String>,
}

/// A rule to make.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct NewRule {
    /// The ask whose answer it gives from now on.
    pub ask_id: String,
    /// Until when; a month where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

query! {
    /// Where the days begin.
    pub struct Zone {
        /// Minutes east of UTC.
        #[schemars(with = "Option<i32>", range(min = -840, max = 840))]
        pub minutes_east: Option<MinutesEast>,
    }
}

/// How far a clock is from UTC.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MinutesEast(i32);

impl MinutesEast {
    /// The furthest that a clock is from UTC.
    const MAX: u32 = 14 * 60;

    /// So many minutes; none where no clock is so far away.
    pub fn new(minutes: i32) -> Option<Self> {
        (minutes.unsigned_abs() <= Self::MAX).then_some(Self(minutes))
    }

    /// The minutes.
    pub const fn minutes(self) -> i32 {
        self.0
    }
}

/// What a person's asks say together.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Insight {
    /// When the first of them was asked.
    pub since: Option<String>,
    /// All of them.
    pub outcomes: Tally,
    /// By day.
    pub days: Vec<Day>,
    /// How long people took.
    pub response_times: Vec<Took>,
    /// Half took no longer.
    pub median_ms: Option<u64>,
    /// Nine of ten took no longer.
    pub p90_ms: Option<u64>,
    /// By agent.
    pub agents: Vec<ByAgent>,
    /// By where they came in.
    pub sources: Vec<BySource>,
    /// What is asked most often.
    pub most_asked: Vec<Often>,
    /// What is declined most often.
    pub most_cancelled: Vec<Often>,
}

/// How asks ended.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// All.
    pub all: usize,
    /// Answered by a person.
    pub answered: usize,
    /// Answered by a rule or a default.
    pub by_itself: usize,
    /// Declined.
    pub cancelled: usize,
    /// Taken back.
    pub withdrawn: usize,
    /// Not answered in time.
    pub timed_out: usize,
}

/// A day.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Day {
    /// How its asks ended.
    #[serde(flatten)]
    pub tally: Tally,
    /// The day.
    pub day: String,
}

/// An agent.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ByAgent {
    /// How its asks ended.
    #[serde(flatten)]
    pub tally: Tally,
    /// The agent; null where it did not say who it is.
    pub agent: Option<String>,
}

/// Where asks came in.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct BySource {
    /// How they ended.
    #[serde(flatten)]
    pub tally: Tally,
    /// Where.
    pub source: String,
}

/// How many answers took so long.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct Took {
    /// No longer than this; null is longer than all others.
    pub upto_ms: Option<u64>,
    /// How many.
    pub count: usize,
}

/// A question, and how often.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Often {
    /// The question.
    pub question: String,
    /// How often.
    pub count: usize,
}
