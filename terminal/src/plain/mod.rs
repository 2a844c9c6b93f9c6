//! The prompt as numbered lines, for dumb terminals, screen readers, pipes and `--plain`.
//!
//! A machine without input or output: it says what to print and takes a line. The same sheet and
//! the same rules as the panel; the texts are those of the source document (T7), so that whoever
//! scripted against them goes on.

mod boxed;
pub mod lines;
mod list;
mod typed;
mod words;

use askuser_core::asker::Purpose;
use askuser_core::entry::Entry;
use askuser_core::id::QuestionId;
use askuser_core::problem::Fault;
use askuser_core::question::{Kind, Question};
use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_words::Language;
use askuser_words::plain::Plain as Words;

pub use words::inline;

use super::Round;
use askuser_wire::permission::Permission;
use typed::Typed;

/// A question round in line mode.
#[derive(Debug)]
pub struct Plain {
    sheet: Sheet,
    /// Whether a line that names no choice takes the first one (T9). A permission never does.
    lenient: bool,
    /// Answered for now, in the order of answering: what going back goes back to.
    done: Vec<QuestionId>,
    asking: Asking,
    /// The round, where the questions are printed as a list (003 2.10.2) and not in a box.
    list: Option<Round>,
    title: Option<String>,
    context: Option<String>,
    permission: Option<Permission>,
    language: Language,
    /// Columns of what it is printed on.
    columns: usize,
}

/// How wide a box may be where nobody knows how wide the reader's paper is.
const COLUMNS: usize = 80;

/// What the next line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asking {
    Choice,
    /// Free text: the answer of a text question, or "Other" for the first or the second time.
    Text {
        tries: u8,
    },
}

/// A question and everything that is printed of it.
struct About<'a> {
    question: &'a Question,
    context: Option<&'a str>,
    permission: Option<&'a Permission>,
    entry: Option<&'a Entry>,
    language: Language,
}

/// What a line led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// To be printed: what was taken, what was wrong.
    pub say: String,
    /// What comes next.
    pub next: Next,
}

/// What comes after a line.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Print the whole question and its prompt.
    Question,
    /// Print the prompt only.
    Prompt,
    /// All is answered.
    Sent(Sheet),
    /// The person said no.
    Declined { reason: Option<String> },
}

impl Plain {
    /// Begins with the first question. `title` stands above each, as `Round 1/3` (P14).
    pub fn new(sheet: Sheet, purpose: Purpose, title: Option<String>) -> Self {
        let lenient = purpose == Purpose::Decision;
        let (done, asking) = (Vec::new(), Asking::Choice);
        let (list, context, permission) = (None, None, None);
        let (language, columns) = (Language::English, COLUMNS);
        let mut plain =
            Self { sheet, lenient, done, asking, list, title, context, permission, language, columns };
        plain.begin();
        plain
    }

    /// Adds why it is asked, and what it would let run: printed with the first question.
    #[must_use]
    pub fn about(mut self, context: Option<String>, permission: Option<Permission>) -> Self {
        (self.context, self.permission) = (context, permission);
        self
    }

    /// Says everything in this language.
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// Tells how many columns there are to print on.
    pub fn fit(&mut self, columns: usize) {
        self.columns = columns;
    }

    /// Returns the language that it speaks.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Prints the questions as a list under their round, instead of in a box. The round is not in the title then.
    #[must_use]
    pub fn as_list(mut self, round: Round) -> Self {
        self.list = Some(round);
        self
    }

    /// Takes only lines that name a choice: these were not typed by somebody who reads what the first one is.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.lenient = false;
        self
    }

    /// Returns the question as it is printed before its prompt.
    pub fn question(&self) -> String {
        let Some(question) = self.current() else { return String::new() };
        let visible = self.sheet.visible();
        let place = visible.iter().position(|visible| visible.question.id == question.id).unwrap_or(0) + 1;
        // Whoever goes on has read why; whoever goes back to the beginning reads it again.
        let context = self.context.as_deref().filter(|_| self.done.is_empty());
        let (permission, entry) = (self.permission.as_ref(), self.sheet.entry(&question.id));
        let about = About { question, context, permission, entry, language: self.language };
        let n_visible = visible.len();
        if let Some(round) = self.list {
            return list::print(&about, self.title.as_deref(), (round, place, n_visible), self.columns);
        }
        let heading = words::heading(self.title.as_deref(), place, n_visible, self.language);
        format!("{heading}{}", boxed::print(&about, self.columns))
    }

    /// Returns the prompt.
    pub fn prompt(&self) -> &'static str {
        let Some(question) = self.current() else { return "" };
        match (self.asking, question.kind) {
            // What is typed after `0` is a text and not a number: that is said in words here too.
            (Asking::Choice, _) | (_, Kind::Text) if self.list.is_some() => list::PROMPT,
            (Asking::Text { .. }, _) => Words(self.language).answer(),
            (Asking::Choice, kind) => {
                let several = matches!(kind, Kind::SomeOf { .. });
                words::enter_number(several, question.free.is_some(), self.language)
            }
        }
    }

    /// Whether the next line must not be seen on the terminal.
    pub fn is_secret(&self) -> bool {
        self.asking != Asking::Choice && self.current().is_some_and(|question| question.secret)
    }

    /// Takes a line.
    pub fn line(&mut self, line: &str) -> Reply {
        let line = line.trim_end_matches(['\r', '\n']);
        match self.asking {
            Asking::Choice => self.choice_line(line),
            Asking::Text { tries } => self.text_line(line, tries),
        }
    }

    /// Returns what is put down so far.
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    fn current(&self) -> Option<&Question> {
        let next = |question: &&Question| !self.done.contains(&question.id);
        self.sheet.visible().into_iter().map(|visible| visible.question).find(next)
    }

    fn begin(&mut self) {
        let is_text = self.current().is_some_and(|question| question.kind == Kind::Text);
        self.asking = if is_text { Asking::Text { tries: 0 } } else { Asking::Choice };
    }

    fn choice_line(&mut self, line: &str) -> Reply {
        let words = line.trim();
        if let Some(reply) = self.instruction(line) {
            return reply;
        }
        let Some(question) = self.current().cloned() else { return self.advance(String::new()) };
        let typed = Typed::read(words, &question);
        if typed.picked.is_empty() && !typed.other {
            return self.nothing_valid(words, &question);
        }
        let several = matches!(question.kind, Kind::SomeOf { .. });
        self.take_back(&question.id);
        for choice in &typed.picked {
            // Every choice read is one of the question's, and the question is on the sheet.
            let _fits = self.sheet.pick(&question.id, choice);
        }
        if typed.other && (several || typed.picked.is_empty()) {
            self.asking = Asking::Text { tries: 0 };
            return Reply { say: String::new(), next: Next::Prompt };
        }
        self.settle(&question.id, typed.dropped(several, self.language))
    }

    /// Lines that steer instead of answering: back, help, note, cancel. In a text field only with
    /// a slash before them: there, words are text.
    fn instruction(&mut self, line: &str) -> Option<Reply> {
        let in_text = self.asking != Asking::Choice;
        let words = match line.trim().strip_prefix('/') {
            Some(words) => words,
            None if in_text => return None,
            None => line.trim(),
        };
        let (verb, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        match verb.to_lowercase().as_str() {
            "b" | "back" if rest.is_empty() => Some(self.back()),
            "?" | "help" if rest.is_empty() => {
                Some(Reply { say: words::help(self.language), next: Next::Question })
            }
            "note" if !rest.is_empty() => Some(self.note(rest.trim())),
            "cancel" => {
                let reason = Some(rest.trim().to_owned()).filter(|reason| !reason.is_empty());
                Some(Reply { say: String::new(), next: Next::Declined { reason } })
            }
            _ => None,
        }
    }

    fn back(&mut self) -> Reply {
        let say = match self.done.pop() {
            Some(_) => String::new(),
            None => words::line(Words(self.language).first_already()),
        };
        self.begin();
        Reply { say, next: Next::Question }
    }

    fn note(&mut self, note: &str) -> Reply {
        let Some(id) = self.current().map(|question| question.id.clone()) else {
            return self.advance(String::new());
        };
        let say = match self.sheet.note(&id, note) {
            Ok(()) => words::note_kept(note, self.language),
            Err(fault) => self.fault(&fault),
        };
        Reply { say, next: Next::Prompt }
    }

    /// A line that names no choice: what was suggested, nothing where nothing is needed, the first
    /// choice (T9); where that would speak for a person, the question again.
    fn nothing_valid(&mut self, words: &str, question: &Question) -> Reply {
        let suggested = self.sheet.entry(&question.id).is_some_and(|entry| !entry.is_empty());
        if words.is_empty() && suggested {
            return self.settle(&question.id.clone(), None);
        }
        if words.is_empty() && !question.required {
            return self.settle(&question.id.clone(), Some(words::line(Words(self.language).skipped())));
        }
        let first = question.choices.first().filter(|_| self.lenient && question.kind != Kind::YesNo);
        let Some(first) = first else {
            return Reply { say: words::not_a_choice(words, self.language), next: Next::Prompt };
        };
        self.take_back(&question.id);
        let _fits = self.sheet.pick(&question.id, &first.id);
        let say = words::took_first(words, &shown(&first.label), self.language);
        self.settle(&question.id, Some(say))
    }

    fn text_line(&mut self, line: &str, tries: u8) -> Reply {
        let Some(question) = self.current().cloned() else { return self.advance(String::new()) };
        let is_text = question.kind == Kind::Text;
        if let Some(reply) = self.instruction(line) {
            return reply;
        }
        if line.trim().is_empty() {
            return self.empty_text(&question, tries, is_text);
        }
        if let Err(fault) = self.sheet.write(&question.id, line) {
            return Reply { say: self.fault(&fault), next: Next::Prompt };
        }
        let fault = self.sheet.problem(&question).map(|problem| problem.fault);
        if let Some(fault) = fault.filter(|fault| !matches!(fault, Fault::TooFewItems { .. })) {
            let _emptied = self.sheet.write(&question.id, "");
            return Reply { say: self.fault(&fault), next: Next::Prompt };
        }
        self.settle(&question.id, None)
    }

    /// An empty text is asked for again, then goes back to the choices; never an answer (T10).
    fn empty_text(&mut self, question: &Question, tries: u8, is_text: bool) -> Reply {
        let suggested = self.sheet.entry(&question.id).is_some_and(|entry| entry.text.is_some());
        if is_text && (suggested || !question.required) {
            return self.settle(&question.id, None);
        }
        if is_text || tries == 0 {
            self.asking = Asking::Text { tries: 1 };
            return Reply { say: words::line(Words(self.language).empty()), next: Next::Prompt };
        }
        self.asking = Asking::Choice;
        self.take_back(&question.id);
        Reply { say: words::line(Words(self.language).back_to_choices()), next: Next::Question }
    }

    fn fault(&self, fault: &Fault) -> String {
        self.current().map_or_else(String::new, |_| words::fault(fault, self.language))
    }

    /// Goes on if the question is answered well; says why if it is not.
    fn settle(&mut self, id: &QuestionId, say: Option<String>) -> Reply {
        let problem = self.current().and_then(|question| self.sheet.problem(question));
        if let Some(problem) = problem {
            let say = self.fault(&problem.fault);
            self.begin();
            return Reply { say, next: Next::Prompt };
        }
        self.done.push(id.clone());
        self.advance(say.unwrap_or_default())
    }

    fn advance(&mut self, say: String) -> Reply {
        // Going back may have opened other follow-ups: what is not visible is not done.
        let visible: Vec<QuestionId> =
            self.sheet.visible().iter().map(|visible| visible.question.id.clone()).collect();
        self.done.retain(|id| visible.contains(id));
        if self.current().is_none() {
            return Reply { say, next: Next::Sent(self.sheet.clone()) };
        }
        self.begin();
        Reply { say, next: Next::Question }
    }

    /// Takes back what was picked or suggested before the person chose.
    fn take_back(&mut self, id: &QuestionId) {
        let picked = self.sheet.entry(id).map(|entry| entry.picked.clone()).unwrap_or_default();
        for choice in picked {
            let _was_there = self.sheet.unpick(id, &choice);
        }
        let _was_there = self.sheet.write(id, "");
    }
}

#[cfg(test)]
mod tests;
