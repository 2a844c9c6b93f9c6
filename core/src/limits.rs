//! What limits an ask, an answer and a desk, all of it (invariant 9): what the rules refuse by number refuses it by
//! a number of this file, and names it. What one part alone has, as the rows of a list or the wait for another
//! program, stands at that part.
//!
//! Numbers that belong to a dialect are a [`Limits`] profile; numbers that belong to the desk are
//! a [`DeskLimits`]; the rest are constants. Characters are Unicode scalar values, never bytes.

use std::time::Duration;

/// The size of a whole ask as it comes in.
pub const ASK_BYTES_MAX: usize = 64 * 1024;
/// How deep follow-up questions may be nested under a question (P7).
pub const FOLLOW_UP_DEPTH_MAX: usize = 10;
/// Questions of one ask, follow-ups included.
pub const QUESTIONS_IN_ALL_MAX: usize = 256;
/// An id of a question or a choice; also the longest value of a single choice (P10).
pub const ID_CHARS_MAX: usize = 256;
/// A multi-select answer, all its values together (P10).
pub const PICKED_CHARS_MAX: usize = 1000;
/// A person's note beside an answer, and the reason of a cancel.
pub const NOTE_CHARS_MAX: usize = 1000;
/// What a person says to an agent in one go: a task, or a further message.
pub const TASK_BYTES_MAX: usize = 64 * 1024;
/// A message of an agent as it is stored and told; what is longer is kept whole beside the store.
pub const MESSAGE_BYTES_MAX: usize = 16 * 1024;
/// Messages that are told in one go.
pub const MESSAGES_AT_ONCE_MAX: usize = 64;
/// People whom one ask is for, those of its groups and its escalation included.
pub const AUDIENCE_MAX: usize = 100;
/// Faults told to a caller at once; the rest are counted.
pub const PROBLEMS_TOLD_MAX: usize = 100;

/// What one dialect allows in an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Questions at the top level, 1 at least.
    pub questions_max: usize,
    /// Choices of a question that offers any, at least.
    pub choices_min: usize,
    /// Choices of a question, at most.
    pub choices_max: usize,
    /// Characters of a header.
    pub header_chars_max: usize,
    /// Characters of a question's text, 1 at least.
    pub question_chars_max: usize,
    /// Characters of a choice's label, 1 at least.
    pub label_chars_max: usize,
    /// Characters of a description.
    pub description_chars_max: usize,
    /// Characters a person may type into one field (`max_input_length`, D16).
    pub text_chars_max: usize,
    /// Whether it may contain control characters too (`enable_input_validation: false`, D16).
    pub any_characters: bool,
    /// Which fields must be there.
    pub demands: Demands,
}

/// Which fields of a question must be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demands {
    /// Header, description of every choice, and whether several may be picked (T2).
    Everything,
    /// Header and description of every choice; one may be picked unless said otherwise (E3).
    Words,
    /// The question's text and, where there are choices, their labels (P6).
    Essentials,
}

impl Limits {
    /// The terminal command of the source documents, to the letter (T2).
    pub const COMMAND: Self = Self {
        questions_max: 4,
        choices_min: 2,
        choices_max: 4,
        header_chars_max: 12,
        question_chars_max: 500,
        label_chars_max: 50,
        description_chars_max: 200,
        text_chars_max: 1000,
        any_characters: false,
        demands: Demands::Everything,
    };

    /// The event protocol (E3).
    pub const EVENTS: Self = Self { demands: Demands::Words, ..Self::COMMAND };

    /// The push form and `ask_user` (P6, D10): their own label limit, everything else roomy.
    pub const PUSH: Self = Self { label_chars_max: 50, ..Self::FOREIGN };

    /// Dialects of other programs: their texts may be longer, the whole ask may not.
    pub const FOREIGN: Self = Self {
        questions_max: 4,
        choices_min: 1,
        choices_max: 64,
        header_chars_max: 256,
        question_chars_max: ASK_BYTES_MAX,
        label_chars_max: ID_CHARS_MAX,
        description_chars_max: ASK_BYTES_MAX,
        text_chars_max: 1000,
        any_characters: false,
        demands: Demands::Essentials,
    };

    /// A form of another MCP server: one field, one question; refusing the fifth would lose it.
    pub const FORM: Self = Self { questions_max: 32, choices_max: 256, ..Self::FOREIGN };
}

/// What the desk allows; each can be configured (D16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeskLimits {
    /// Asks of one session shown at once; the rest wait in order (D6).
    pub shown_max: usize,
    /// Sessions of one user with an open ask (D5).
    pub active_sessions_max: usize,
    /// Rounds that build on one another (P3).
    pub depth_max: u32,
    /// How long a repeat of the same questions counts as one round deeper (P3).
    pub repeat_window: Duration,
    /// How long an answer that was given while its asker was away is kept for it to ask again.
    pub hand_over_within: Duration,
    /// The same for an asker that names neither its folder nor its conversation: long enough for a client that makes
    /// its call again, too short for another agent to come by with the same words.
    pub hand_over_unplaced_within: Duration,
    /// How long a session without an open ask lives (D5).
    pub session_idle: Duration,
    /// Open asks in one session, shown and waiting.
    pub open_max: usize,
}

impl DeskLimits {
    /// Those of a desk whose configuration says nothing.
    pub const DEFAULT: Self = Self {
        shown_max: 5,
        active_sessions_max: 10,
        depth_max: 10,
        repeat_window: Duration::from_mins(10),
        hand_over_within: Duration::from_hours(1),
        hand_over_unplaced_within: Duration::from_mins(5),
        session_idle: Duration::from_hours(1),
        open_max: 1000,
    };
}

impl Default for DeskLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
