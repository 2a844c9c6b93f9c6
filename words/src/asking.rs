//! How a question is answered and what is wrong with an answer: the same words in the panel, in plain lines,
//! in `askuser show` and on the page.

use askuser_core::format::Format;
use askuser_core::problem::Fault;
use askuser_core::question::{Kind, Question};

use crate::Language;
use crate::fault;

phrases! {
    /// How a question is answered.
    Asking {
        pick_one: "pick one" | "单选";
        pick_any: "pick one or more" | "可多选";
        pick_exactly(n): "pick {n}" | "选 {n} 项";
        pick_at_least(min): "pick {min} or more" | "至少选 {min} 项";
        pick_up_to(max): "pick up to {max}" | "最多选 {max} 项";
        pick_between(min, max): "pick {min} to {max}" | "选 {min} 到 {max} 项";
        yes_or_no: "yes or no" | "是或否";
        text: "text" | "文字";
        optional: "optional" | "选填";
        whole_number: "a whole number" | "整数";
        number: "a number" | "数字";
        email: "an e-mail address" | "电子邮箱地址";
        uri: "a URL, e.g. https://…" | "网址，如 https://…";
        date: "a date, e.g. 2026-11-15" | "日期，如 2026-11-15";
        moment: "a date and time, e.g. 2026-11-15T10:00:00Z" | "日期和时间，如 2026-11-15T10:00:00Z";
    }
}

phrases! {
    /// What is wrong with an answer.
    Unfit {
        missing: "This needs an answer." | "这个问题需要回答。";
        too_few(got, min): "{got} picked, at least {min} needed." | "已选 {got} 项，至少选 {min} 项。";
        too_many(got, max): "{got} picked, at most {max} allowed." | "已选 {got} 项，最多选 {max} 项。";
        answer(fault): "This {fault}." | "答案{fault}。";
    }
}

impl Language {
    /// Says how a question is answered, where that is not plain to see: how many to pick, what to type, and
    /// whether it may be left out.
    pub fn hint(self, question: &Question) -> Option<String> {
        let how = match question.kind {
            Kind::OneOf | Kind::YesNo => None,
            Kind::SomeOf { .. } => self.picks(question),
            Kind::Text => {
                question.free.as_ref().and_then(|free| self.format(&free.format)).map(str::to_owned)
            }
        };
        let optional = (!question.required).then(|| self.optional().to_owned());
        let parts: Vec<String> = how.into_iter().chain(optional).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// Says how many choices are to be picked, where it is not just one.
    pub fn picks(self, question: &Question) -> Option<String> {
        let Kind::SomeOf { min, max } = question.kind else { return None };
        let most = question.choices.len() + usize::from(question.takes_other());
        let said = Asking(self);
        Some(match (min, max) {
            _ if min == max => said.pick_exactly(min),
            (..=1, _) if max >= most => said.pick_any().to_owned(),
            _ if max >= most => said.pick_at_least(min),
            (..=1, _) => said.pick_up_to(max),
            _ => said.pick_between(min, max),
        })
    }

    /// Says of every question how it is answered, where the choices are only read: `pick one, optional`.
    pub fn manner(self, question: &Question) -> String {
        let said = Asking(self);
        let how = match question.kind {
            Kind::OneOf => said.pick_one().to_owned(),
            Kind::SomeOf { .. } => self.picks(question).unwrap_or_default(),
            Kind::YesNo => said.yes_or_no().to_owned(),
            Kind::Text => {
                let format = question.free.as_ref().and_then(|free| self.format(&free.format));
                format.unwrap_or(said.text()).to_owned()
            }
        };
        let parts: Vec<String> =
            std::iter::once(how).chain((!question.required).then(|| self.optional().to_owned())).collect();
        parts.join(self.pick(", ", "，"))
    }

    /// Says that a question may be left out.
    pub fn optional(self) -> &'static str {
        Asking(self).optional()
    }

    /// Says what a text has to be.
    fn format(self, format: &Format) -> Option<&'static str> {
        let said = Asking(self);
        Some(match format {
            Format::Any => return None,
            Format::Integer { .. } => said.whole_number(),
            Format::Number { .. } => said.number(),
            Format::Email => said.email(),
            Format::Uri => said.uri(),
            Format::Date => said.date(),
            Format::DateTime => said.moment(),
        })
    }

    /// Says what is wrong with an answer, as a sentence.
    pub fn unfit(self, fault: &Fault) -> String {
        let said = Unfit(self);
        match fault {
            Fault::Missing => said.missing().to_owned(),
            Fault::TooFewItems { min, got } => said.too_few(got, min),
            Fault::TooManyItems { max, got } => said.too_many(got, max),
            fault => said.answer(fault::fault(fault, self)),
        }
    }
}
