//! A question in words: flags that belong to the question before them.
//!
//! Read by hand, because clap's derive keeps the values of each flag but not the order between flags.

use clap::{Arg, ArgAction, ArgMatches, Command, Error};

/// The id of the question that stands by itself.
pub const ALONE: &str = "alone";

/// One thing said of a question in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// Another question begins.
    Question(String),
    /// It offers this: `Label` or `Label: description`.
    Offer(String),
    /// Several may be picked.
    Multi,
    /// Nothing but what is offered.
    NoOther,
    /// It wants a text.
    Text,
    /// It wants a text that nobody else is shown.
    Secret,
    /// Its short label.
    Header(String),
    /// A longer explanation.
    Describe(String),
    /// Filled in beforehand.
    Default(String),
    /// The one to take.
    Recommend(String),
    /// Why it is asked.
    Context(String),
}

/// What was said of questions in words, in the order in which it was said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// What was said before the first `-q`: of the question that stands by itself.
    pub first: Vec<Word>,
    /// From the first `-q` on.
    pub more: Vec<Word>,
    /// Whether the question that stands by itself stands behind a `-q`.
    pub behind: bool,
}

/// A flag, its value's name where it takes one, and what it says.
struct Flag {
    name: &'static str,
    short: Option<char>,
    value: Option<&'static str>,
    help: &'static str,
    word: fn(String) -> Word,
}

const FLAGS: [Flag; 11] = [
    Flag {
        name: "option",
        short: Some('o'),
        value: Some("LABEL[: DESCRIPTION]"),
        help: "Add an option; repeat for more [default: yes and no]",
        word: Word::Offer,
    },
    Flag {
        name: "multi",
        short: None,
        value: None,
        help: "Allow more than one choice",
        word: |_| Word::Multi,
    },
    Flag {
        name: "no-other",
        short: None,
        value: None,
        help: "Offer no free-text answer",
        word: |_| Word::NoOther,
    },
    Flag { name: "text", short: None, value: None, help: "Ask for a text", word: |_| Word::Text },
    Flag {
        name: "secret",
        short: None,
        value: None,
        help: "Keep the answer out of logs and history; without options, ask for a text",
        word: |_| Word::Secret,
    },
    Flag {
        name: "header",
        short: None,
        value: Some("TEXT"),
        help: "A short title; also the name of the answer in JSON and shell output",
        word: Word::Header,
    },
    Flag {
        name: "describe",
        short: None,
        value: Some("TEXT"),
        help: "A longer explanation under the question",
        word: Word::Describe,
    },
    Flag {
        name: "default",
        short: None,
        value: Some("ANSWER"),
        help: "The answer to start with: yes, no, an option, or a text",
        word: Word::Default,
    },
    Flag {
        name: "recommend",
        short: None,
        value: Some("OPTION"),
        help: "Mark an option as recommended",
        word: Word::Recommend,
    },
    Flag {
        name: "context",
        short: None,
        value: Some("TEXT"),
        help: "Background shown above the question: a text, a file name, or `-` for standard input",
        word: Word::Context,
    },
    Flag {
        name: "question",
        short: Some('q'),
        value: Some("TEXT"),
        help: "Add another question; flags after it apply to it",
        word: Word::Question,
    },
];

impl Flag {
    fn arg(&self) -> Arg {
        let arg = Arg::new(self.name).long(self.name).action(ArgAction::Append).help(self.help);
        let arg = arg.allow_negative_numbers(self.value.is_some());
        let arg = if let Some(short) = self.short { arg.short(short) } else { arg };
        match self.value {
            Some(name) => arg.value_name(name),
            // Given again after the next question, it counts for that one too.
            None => arg.num_args(0).default_missing_value("true"),
        }
    }
}

impl clap::Args for Words {
    fn augment_args(command: Command) -> Command {
        FLAGS.iter().fold(command, |command, flag| command.arg(flag.arg()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Words {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut said: Vec<(usize, Word)> = Vec::new();
        for flag in &FLAGS {
            let values = matches.get_many::<String>(flag.name).into_iter().flatten();
            let places = matches.indices_of(flag.name).into_iter().flatten();
            said.extend(places.zip(values).map(|(place, value)| (place, (flag.word)(value.clone()))));
        }
        said.sort_by_key(|(place, _)| *place);
        let next = said.iter().find(|(_, word)| matches!(word, Word::Question(_))).map(|(place, _)| *place);
        let alone = matches.indices_of(ALONE).and_then(|mut places| places.next());
        let behind = alone.zip(next).is_some_and(|(alone, next)| next < alone);
        let (first, more): (Vec<_>, Vec<_>) =
            said.into_iter().partition(|(place, _)| next.is_none_or(|next| *place < next));
        let bare = |said: Vec<(usize, Word)>| said.into_iter().map(|(_, word)| word).collect();
        Ok(Self { first: bare(first), more: bare(more), behind })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Words {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && self.more.is_empty()
    }
}
