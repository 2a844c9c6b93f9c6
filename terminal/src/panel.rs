//! Where the person is: the sheet, the place of the cursor, and what the keys mean just now.
//!
//! Pure state with the moves that keep it sound. What is allowed the sheet decides; which key
//! makes which move is `keys`' to say, what it looks like `draw`'s.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use askuser_core::answer::Answers;
use askuser_core::asker::Asker;
use askuser_core::id::QuestionId;
use askuser_core::question::{Kind, Question};
use askuser_core::sheet::Sheet;
use askuser_words::Language;
use askuser_words::deadline::Then;

use super::editor::Editor;
use super::guard::Guard;
use super::keys::Key;
use super::page::{Place, Spot, page_of, pages, rows};
use askuser_wire::permission::{self, Permission};

/// What is known around the questions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PanelContext {
    /// Who asks.
    pub asker: Asker,
    pub context: Option<String>,
    /// What it would let run, where it is a permission.
    pub permission: Option<Permission>,
    /// What its deadline brings.
    pub then: Option<Then>,
    /// Who is about to answer it elsewhere.
    pub being_answered: Option<String>,
    /// Whether it waits its turn: it can be read and filled in, and not sent.
    pub waits: bool,
    /// Which round of the session it is.
    pub round: Option<Round>,
    /// Where leaving leads.
    pub leaving: Leaving,
    /// The language of the words around.
    pub language: Language,
}

/// Where a person gets who leaves a question without answering it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Leaving {
    /// Nowhere: nobody keeps the question, so leaving it is saying no.
    #[default]
    Declines,
    /// Out of the prompt; a daemon keeps the question, which may also be declined.
    LeavesOpen,
    /// Back to the inbox, where it stays, without being asked.
    ToTheInbox,
}

/// One round of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// How many the asker announced.
    pub total: Option<u32>,
}

/// What the keys mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// The cursor is on a choice.
    Choosing,
    /// A text question or "Other" is being typed.
    Typing(Editor),
    /// A remark is being typed.
    Noting(Editor),
    /// All answers are shown; the cursor is on one, or after the last on "Send".
    Reviewing {
        /// The row of the cursor.
        row: usize,
    },
    /// The keys are explained.
    Helping {
        /// Where it goes back to.
        back: Box<Mode>,
    },
    /// The person wants to leave and is asked how.
    Leaving {
        /// The row of the cursor.
        row: usize,
        /// Where it goes back to.
        back: Box<Mode>,
    },
    /// The person declines and may say why.
    Declining {
        /// The reason.
        editor: Editor,
        /// Where it goes back to.
        back: Box<Mode>,
    },
}

/// A way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayOut {
    /// None: back to the question.
    Back,
    /// Say no.
    Decline,
    /// Answer later.
    LeaveOpen,
}

/// What came of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The prompt goes on.
    Stay,
    /// The answers were confirmed.
    Sent(Answers),
    /// The person said no.
    Declined { reason: Option<String> },
    /// The person answers later.
    LeftOpen,
    /// The person broke it off.
    Interrupted,
    /// The program is to be stopped for a while.
    Suspend,
}

/// The prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What is put down so far.
    pub sheet: Sheet,
    /// What is known around it.
    pub around: PanelContext,
    /// Where the cursor is.
    pub place: Place,
    /// What the keys mean.
    pub mode: Mode,
    /// What the person is told about the last key.
    pub message: Option<String>,
    /// How long the ask still lives, where it has a deadline.
    pub time_left: Option<Duration>,
    /// How many screens the view was moved away from the cursor.
    pub scroll: isize,
    /// What was typed as "Other" and not taken, so that it is there when the person comes back.
    pub drafts: BTreeMap<QuestionId, String>,
    /// Whether an empty "Other" was already asked for again (T10).
    pub asked_again: bool,
    /// Whether the person came from the review and goes back there.
    pub from_review: bool,
    /// Which keys are meant.
    pub guard: Guard,
    /// Rows of the asker's words that were on the screen.
    pub(super) seen: BTreeSet<String>,
    /// The questions of which everything was on the screen.
    pub(super) read: BTreeSet<QuestionId>,
}

impl Panel {
    /// Opens the prompt at the first question.
    pub fn new(sheet: Sheet, around: PanelContext) -> Self {
        let first = sheet
            .questions()
            .top()
            .first()
            .map_or_else(|| QuestionId::new(""), |question| question.id.clone());
        let mut panel = Self {
            sheet,
            around,
            place: Place { question: first, spot: Spot::Choice(0) },
            mode: Mode::Choosing,
            message: None,
            time_left: None,
            scroll: 0,
            drafts: BTreeMap::new(),
            asked_again: false,
            from_review: false,
            guard: Guard::default(),
            seen: BTreeSet::new(),
            read: BTreeSet::new(),
        };
        match panel.order().first().cloned() {
            Some(id) => panel.go_to(&id),
            None => panel.review(),
        }
        panel
    }

    /// Whether a key could answer the question, or go on to the next one.
    pub fn acts(&self, key: &Key) -> bool {
        match self.mode {
            Mode::Choosing | Mode::Reviewing { .. } | Mode::Leaving { .. } => {
                matches!(key, Key::Enter | Key::NewLine)
            }
            Mode::Typing(_) | Mode::Noting(_) | Mode::Declining { .. } => *key == Key::Enter,
            Mode::Helping { .. } => false,
        }
    }

    /// Whether the question has a no of its own, so that there is nothing to decline beside it.
    pub fn has_own_no(&self) -> bool {
        self.around.permission.is_some() && permission::has_own_no(self.sheet.questions())
    }

    /// Returns the questions on the sheet in order.
    pub fn order(&self) -> Vec<QuestionId> {
        let visible = self.sheet.visible();
        visible.iter().map(|visible| visible.question.id.clone()).collect()
    }

    /// Returns the question under the cursor.
    pub fn question(&self) -> Option<&Question> {
        self.sheet.questions().find(&self.place.question)
    }

    /// Returns the text being typed, in whatever mode.
    pub fn editor_mut(&mut self) -> Option<&mut Editor> {
        match &mut self.mode {
            Mode::Typing(editor) | Mode::Noting(editor) | Mode::Declining { editor, .. } => Some(editor),
            Mode::Choosing | Mode::Reviewing { .. } | Mode::Helping { .. } | Mode::Leaving { .. } => None,
        }
    }

    /// Returns the ways out, in the order in which they are offered.
    pub fn ways_out(&self) -> Vec<WayOut> {
        let mut ways = vec![WayOut::Back];
        if !self.has_own_no() {
            ways.push(WayOut::Decline);
        }
        if self.around.leaving != Leaving::Declines {
            ways.push(WayOut::LeaveOpen);
        }
        ways
    }

    /// Whether all answers are shown before they are sent: with more than one question (T11).
    pub fn has_review(&self) -> bool {
        let questions = self.sheet.questions();
        let asked = questions.top().iter().filter(|question| question.collected.is_none());
        asked.count() > 1 || self.order().len() != 1
    }

    /// Moves to a question: to what is put down there, else to its first row.
    pub fn go_to(&mut self, id: &QuestionId) {
        let Some(question) = self.sheet.questions().find(id) else {
            return;
        };
        let entry = self.sheet.entry(id);
        let picked = entry.and_then(|entry| {
            let first = entry.picked.first()?;
            question.choices.iter().position(|choice| choice.id == *first)
        });
        let other = question.takes_other() && entry.is_some_and(|entry| entry.text.is_some());
        let spot = match (question.kind, picked) {
            (Kind::Text, _) => Spot::Field,
            (_, Some(choice_idx)) => Spot::Choice(choice_idx),
            (_, None) if other => Spot::Other,
            (_, None) => Spot::Choice(0),
        };
        self.stand(Place { question: id.clone(), spot });
    }

    /// Puts the cursor on a row; in a text field, typing begins.
    pub fn stand(&mut self, place: Place) {
        self.asked_again = false;
        self.mode = match place.spot {
            Spot::Field => {
                let entry = self.sheet.entry(&place.question);
                let text = entry.and_then(|entry| entry.text.as_deref()).unwrap_or("");
                Mode::Typing(Editor::new(text))
            }
            Spot::Choice(_) | Spot::Other => Mode::Choosing,
        };
        self.place = place;
    }

    /// Moves the cursor by a number of rows, around the ends of the page.
    pub fn move_rows(&mut self, by: isize) {
        let rows = self.page_rows();
        let n_rows = isize::try_from(rows.len()).unwrap_or(1).max(1);
        let now = rows.iter().position(|place| *place == self.place);
        let now = now.and_then(|idx| isize::try_from(idx).ok()).unwrap_or(0);
        let next = usize::try_from((now + by).rem_euclid(n_rows)).unwrap_or(0);
        if let Some(place) = rows.into_iter().nth(next) {
            self.stand(place);
        }
    }

    /// Moves to the first row of the page.
    pub fn move_to_first(&mut self) {
        if let Some(place) = self.page_rows().into_iter().next() {
            self.stand(place);
        }
    }

    /// Moves to the last row of the page.
    pub fn move_to_last(&mut self) {
        if let Some(place) = self.page_rows().pop() {
            self.stand(place);
        }
    }

    fn page_rows(&self) -> Vec<Place> {
        let pages = pages(&self.sheet);
        let page = page_of(&pages, &self.place.question).and_then(|idx| pages.get(idx));
        page.map(|page| rows(page)).unwrap_or_default()
    }

    /// Shows all answers, the cursor on "Send".
    pub fn review(&mut self) {
        self.from_review = false;
        self.mode = Mode::Reviewing { row: self.order().len() };
    }

    /// Goes on after a question was answered: to the next one, to the review, or away.
    pub fn go_on(&mut self) -> Step {
        if !self.is_read(&self.place.question) {
            self.message = Some(self.around.language.words().not_read().to_owned());
            return Step::Stay;
        }
        let order = self.order();
        let here = order.iter().position(|id| *id == self.place.question);
        let rest = order.get(here.map_or(0, |idx| idx + 1)..).unwrap_or(&[]);
        let next = if self.from_review { rest.iter().find(|id| !self.is_settled(id)) } else { rest.first() };
        if let Some(id) = next.cloned() {
            self.go_to(&id);
            return Step::Stay;
        }
        if self.has_review() {
            if !self.go_to_problem() {
                self.review();
            }
            return Step::Stay;
        }
        self.send()
    }

    /// Sends what may be sent; else goes to what keeps it from being sent, and says so.
    pub fn send(&mut self) -> Step {
        if self.around.waits {
            self.message = Some(self.around.language.words().waits().to_owned());
            return Step::Stay;
        }
        if let Some(id) = self.order().into_iter().find(|id| !self.is_read(id)) {
            self.from_review = true;
            self.go_to(&id);
            self.message = Some(self.around.language.words().not_read().to_owned());
            return Step::Stay;
        }
        if let Ok(answers) = self.sheet.answers() {
            return Step::Sent(answers);
        }
        self.go_to_problem();
        Step::Stay
    }

    /// Tells what is wrong with the answer to the question under the cursor, if anything is.
    pub fn tell_problem(&mut self) -> bool {
        let told = self.question().and_then(|question| {
            let problem = self.sheet.problem(question)?;
            Some(self.around.language.fault(&problem.fault, question))
        });
        let wrong = told.is_some();
        self.message = told.or_else(|| self.message.take());
        wrong
    }

    /// Whether a question needs no more attention: answered, or asked before and left out.
    fn is_settled(&self, id: &QuestionId) -> bool {
        let answered = self.sheet.entry(id).is_some_and(|entry| !entry.is_empty() && !entry.suggested);
        let question = self.sheet.questions().find(id);
        answered || question.is_some_and(|question| !question.required)
    }

    fn go_to_problem(&mut self) -> bool {
        let problems = self.sheet.problems();
        let Some(problem) = problems.first() else {
            return false;
        };
        let id = QuestionId::new(problem.path.as_str());
        // What was answered already is not gone through again.
        self.from_review = true;
        self.go_to(&id);
        self.tell_problem();
        true
    }
}
