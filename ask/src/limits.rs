//! Limits from the environment (T3): over those of the dialect, never silently ignored.

use askuser_core::limits::Limits;
use askuser_words::commands::ToAsk;

use super::report::Report;
use askuser_system::environment::Environment;

/// What the environment says of limits; nothing where it says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EnvironmentLimits {
    questions: Option<usize>,
    choices: Option<usize>,
    header_chars: Option<usize>,
    question_chars: Option<usize>,
}

/// A limit that is no limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotALimit {
    name: &'static str,
    value: String,
}

impl From<NotALimit> for Report {
    fn from(error: NotALimit) -> Self {
        Self::input(|said: ToAsk| said.no_limit(error.name, &error.value))
    }
}

impl EnvironmentLimits {
    /// Reads the four variables.
    pub fn read(environment: &Environment) -> Result<Self, NotALimit> {
        let limit = |name: &'static str| match environment.get(name) {
            None if environment.has(name) => Err(NotALimit { name, value: "not text".to_owned() }),
            None => Ok(None),
            Some(value) => match value.trim().parse::<usize>() {
                Ok(number) if number > 0 => Ok(Some(number)),
                _ => Err(NotALimit { name, value: value.to_owned() }),
            },
        };
        Ok(Self {
            questions: limit("ASK_MAX_QUESTIONS")?,
            choices: limit("ASK_MAX_OPTIONS")?,
            header_chars: limit("ASK_HEADER_MAX_LENGTH")?,
            question_chars: limit("ASK_QUESTION_MAX_LENGTH")?,
        })
    }

    /// Returns the dialect's limits with these over them.
    pub fn over(self, limits: Limits) -> Limits {
        let choices_max = self.choices.unwrap_or(limits.choices_max);
        Limits {
            questions_max: self.questions.unwrap_or(limits.questions_max),
            choices_max,
            choices_min: limits.choices_min.min(choices_max),
            header_chars_max: self.header_chars.unwrap_or(limits.header_chars_max),
            question_chars_max: self.question_chars.unwrap_or(limits.question_chars_max),
            ..limits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t3_the_environment_sets_limits_and_nonsense_is_said_aloud() {
        let read = |vars: &[(&str, &str)]| EnvironmentLimits::read(&Environment::of(vars));
        let roomy = read(&[("ASK_MAX_QUESTIONS", "6"), ("ASK_HEADER_MAX_LENGTH", " 20 ")]).unwrap();
        let limits = roomy.over(Limits::COMMAND);
        assert_eq!((limits.questions_max, limits.header_chars_max, limits.choices_max), (6, 20, 4));
        assert_eq!(read(&[]).unwrap().over(Limits::COMMAND), Limits::COMMAND);
        // Set to nothing is not set: the manual says so.
        let empty = [
            ("ASK_MAX_QUESTIONS", ""),
            ("ASK_MAX_OPTIONS", ""),
            ("ASK_HEADER_MAX_LENGTH", ""),
            ("ASK_QUESTION_MAX_LENGTH", ""),
        ];
        assert_eq!(read(&empty).unwrap().over(Limits::COMMAND), Limits::COMMAND);
        for wrong in [" ", "0", "-1", "four", "1.5", "99999999999999999999999"] {
            let error = Report::from(read(&[("ASK_MAX_OPTIONS", wrong)]).unwrap_err()).to_string();
            assert_eq!(error, format!("ASK_MAX_OPTIONS is `{wrong}`, which is not a positive whole number"));
        }
    }
}
