//! What a deadline brings, with the answers of an ask in a person's words.

use std::sync::Arc;

use askuser_core::deadline::AtDeadline;
use askuser_core::question::Questions;
use askuser_core::sheet::Sheet;
use askuser_words::Language;
use askuser_words::deadline::Then;

use super::summary::{answer, is_answered};

/// Says what happens to an ask at its deadline.
pub fn then(at_deadline: &AtDeadline, questions: &Arc<Questions>, language: Language) -> Then {
    match at_deadline {
        AtDeadline::Unanswered => Then::Unanswered,
        AtDeadline::Stops => Then::Stops,
        AtDeadline::Default(answers) => {
            let Ok(sheet) = Sheet::filled(Arc::clone(questions), answers.entries()) else {
                return Then::Default(None);
            };
            let visible = sheet.visible();
            let marked = visible.iter().filter(|visible| is_answered(&sheet, visible.question));
            let said = marked.map(|visible| answer(&sheet, visible.question, language.words()));
            let said = said.collect::<Vec<_>>().join(language.words().comma()).replace('\n', " ");
            Then::Default((!said.is_empty()).then_some(said))
        }
    }
}
