//! Every word that a person reads in the terminal, in English and in Chinese.
//!
//! Short, plain, no exclamation marks. Texts of the asker are never translated.

use askuser_core::format::Format;
use askuser_core::format::FormatFault;
use askuser_core::problem::Fault;
use askuser_core::question::{Kind, Question};
use askuser_core::session::rounds_in_all;

use crate::Language;
pub use crate::panel_table::Words;
use crate::panel_table::{CHINESE, ENGLISH};

impl Language {
    /// Returns its words.
    pub fn words(self) -> &'static Words {
        match self {
            Self::English => &ENGLISH,
            Self::Chinese => &CHINESE,
        }
    }

    /// Says which round it is.
    pub fn round(self, number: u32, total: Option<u32>) -> String {
        let of = rounds_in_all(number, total).map_or_else(String::new, |total| format!("/{total}"));
        match self {
            Self::English => format!("Round {number}{of}"),
            Self::Chinese => format!("第 {number}{of} 轮"),
        }
    }

    /// Says what the asker does now that it is answered (003 2.10.2).
    pub fn running(self, what: &str) -> String {
        match self {
            Self::English => format!("Running: {what}"),
            Self::Chinese => format!("正在执行：{what}"),
        }
    }

    /// Says which question it is: in full, and in short for narrow panels.
    pub fn question_of(self, number: usize, total: usize) -> (String, String) {
        match self {
            Self::English => (format!("question {number} of {total}"), format!("{number} of {total}")),
            Self::Chinese => (format!("问题 {number}/{total}"), format!("{number}/{total}")),
        }
    }

    /// Says how many lines are out of sight.
    pub fn more_lines(self, n_lines: usize) -> String {
        match self {
            Self::English if n_lines == 1 => "1 more line".to_owned(),
            Self::English => format!("{n_lines} more lines"),
            Self::Chinese => format!("还有 {n_lines} 行"),
        }
    }

    /// Says how a question is answered, where that is not plain to see.
    pub fn hint(self, question: &Question) -> Option<String> {
        let how = match question.kind {
            Kind::OneOf | Kind::YesNo => None,
            Kind::SomeOf { min, max } => {
                let most = question.choices.len() + usize::from(question.takes_other());
                Some(self.picks(min, max, most))
            }
            Kind::Text => question.free.as_ref().and_then(|free| self.format(&free.format)),
        };
        let optional = (!question.required).then(|| self.words().optional.to_owned());
        let parts: Vec<String> = how.into_iter().chain(optional).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    fn picks(self, min: usize, max: usize, most: usize) -> String {
        match self {
            Self::English if min == max => format!("pick {min}"),
            Self::English if max == most && min <= 1 => "pick one or more".to_owned(),
            Self::English if max == most => format!("pick {min} or more"),
            Self::English if min <= 1 => format!("pick up to {max}"),
            Self::English => format!("pick {min} to {max}"),
            Self::Chinese if min == max => format!("选 {min} 项"),
            Self::Chinese if max == most && min <= 1 => "可多选".to_owned(),
            Self::Chinese if max == most => format!("至少选 {min} 项"),
            Self::Chinese if min <= 1 => format!("最多选 {max} 项"),
            Self::Chinese => format!("选 {min} 到 {max} 项"),
        }
    }

    fn format(self, format: &Format) -> Option<String> {
        let (english, chinese) = match format {
            Format::Any => return None,
            Format::Integer { .. } => ("a whole number", "整数"),
            Format::Number { .. } => ("a number", "数字"),
            Format::Email => ("an e-mail address", "电子邮箱地址"),
            Format::Uri => ("an address, as https://…", "网址，如 https://…"),
            Format::Date => ("a date, as 2026-11-15", "日期，如 2026-11-15"),
            Format::DateTime => {
                ("a date and time, as 2026-11-15T10:00:00Z", "日期和时间，如 2026-11-15T10:00:00Z")
            }
        };
        Some(self.pick(english, chinese).to_owned())
    }

    /// Says what is wrong with an answer and what to do about it.
    pub fn fault(self, fault: &Fault, question: &Question) -> String {
        let several = matches!(question.kind, Kind::SomeOf { .. });
        match (self, fault) {
            (Self::English, Fault::Missing) => match question.kind {
                Kind::SomeOf { .. } => "Nothing is picked yet: Space picks.".to_owned(),
                Kind::Text => "This needs an answer.".to_owned(),
                Kind::OneOf | Kind::YesNo => "This needs an answer: Enter picks the choice at ❯.".to_owned(),
            },
            (Self::Chinese, Fault::Missing) => match question.kind {
                Kind::SomeOf { .. } => "还没有选择：按空格键选择。".to_owned(),
                Kind::Text => "这个问题需要回答。".to_owned(),
                Kind::OneOf | Kind::YesNo => "这个问题需要回答：按 Enter 选择 ❯ 处的选项。".to_owned(),
            },
            (Self::English, Fault::TooFewItems { min, got }) if several => {
                format!("{got} picked, {min} at least.")
            }
            (Self::Chinese, Fault::TooFewItems { min, got }) if several => {
                format!("已选 {got} 项，至少选 {min} 项。")
            }
            (Self::English, Fault::TooManyItems { max, got }) if several => {
                format!("{got} picked, {max} at most: Space takes a pick back.")
            }
            (Self::Chinese, Fault::TooManyItems { max, got }) if several => {
                format!("已选 {got} 项，最多选 {max} 项：按空格键取消选择。")
            }
            (Self::English, fault) => format!("This {fault}."),
            (Self::Chinese, fault) => chinese(fault),
        }
    }

    /// Says that something pasted was not taken.
    pub fn left_out(self, control_chars: usize, too_many_chars: usize) -> Option<String> {
        let plural = |count| if count == 1 { "" } else { "s" };
        Some(match (self, control_chars, too_many_chars) {
            (_, 0, 0) => return None,
            (Self::English, 0, count) => {
                format!("Left out: the last {count} character{}, too long.", plural(count))
            }
            (Self::English, count, _) => {
                format!("Left out: {count} control character{}.", plural(count))
            }
            (Self::Chinese, 0, count) => format!("已略去：末尾 {count} 个字符，超出上限。"),
            (Self::Chinese, count, _) => format!("已略去：{count} 个控制字符。"),
        })
    }
}

fn chinese(fault: &Fault) -> String {
    match fault {
        Fault::TooFewChars { min, got } => format!("有 {got} 个字符，至少 {min} 个。"),
        Fault::TooManyChars { max, got } => format!("有 {got} 个字符，最多 {max} 个。"),
        Fault::ControlCharacter { code } => format!("含有控制字符 U+{code:04X}。"),
        Fault::WrongFormat(fault) => match fault {
            FormatFault::NotWhole => "不是整数。".to_owned(),
            FormatFault::NotNumber => "不是数字。".to_owned(),
            FormatFault::Below(min) => format!("小于 {min}。"),
            FormatFault::Above(max) => format!("大于 {max}。"),
            FormatFault::NotEmail => "不是电子邮件地址。".to_owned(),
            FormatFault::NotUri => "不是网址，如 https://…".to_owned(),
            FormatFault::NotDate => "不是日期，如 2026-11-15。".to_owned(),
            FormatFault::NotDateTime => "不是日期时间，如 2026-11-15T10:00:00Z。".to_owned(),
        },
        Fault::Missing
        | Fault::WrongType { .. }
        | Fault::NotOneOf { .. }
        | Fault::TooFewItems { .. }
        | Fault::TooManyItems { .. }
        | Fault::TooManyBytes { .. }
        | Fault::Duplicate { .. }
        | Fault::LooksLike { .. }
        | Fault::TooDeep { .. }
        | Fault::NoSuchChoice { .. }
        | Fault::NoSuchQuestion { .. }
        | Fault::Cycle { .. }
        | Fault::NoFreeText
        | Fault::NoToolCall { .. }
        | Fault::SeveralToolCalls { .. }
        | Fault::NeverShown { .. }
        | Fault::Other(_) => format!("格式不符：{fault}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_names_the_language() {
        let check = |vars: &[(&str, &str)], expected| {
            let get = |name: &str| {
                let found = vars.iter().find(|(own, _)| *own == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(Language::of_person(get), expected, "{vars:?}");
        };
        check(&[], Language::English);
        check(&[("LANG", "zh_CN.UTF-8")], Language::Chinese);
        check(&[("LANG", "zh_CN"), ("LC_ALL", "C")], Language::English);
        check(&[("LANG", "zh_CN"), ("LC_ALL", "")], Language::Chinese);
        check(&[("LC_ALL", "de_DE"), ("ASKUSER_LANG", "ZH")], Language::Chinese);
    }
}
