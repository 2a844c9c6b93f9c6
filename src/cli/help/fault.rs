//! What is wrong with a command line, in the person's language.
//!
//! English is what clap says. Chinese is made of the same parts, for the kinds that a person meets; what is
//! rarer stays as clap says it.

use askuser_words::Language;
use askuser_words::help::{CommandLine, Help};
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::page::in_words;

/// Says it, with a tip and how the command is written.
pub(super) fn said(told: &Error, language: Language) -> String {
    let text = match language {
        Language::English => None,
        Language::Chinese => in_parts(told, language),
    };
    match text {
        Some(text) => without_way_round(&text, language),
        None => without_way_round(&told.to_string(), Language::English),
    }
}

/// Takes out what a mistyped flag must not teach an agent: how to pass for a person.
fn without_way_round(text: &str, language: Language) -> String {
    let begins = CommandLine(language).tip("");
    let is_tip =
        |part: &&str| part.trim_start().starts_with(begins.trim_end()) && part.contains("--as-person");
    let parts: Vec<&str> = text.split("\n\n").filter(|part| !is_tip(part)).collect();
    parts.join("\n\n").replace(" --as-person", "")
}

fn in_parts(told: &Error, language: Language) -> Option<String> {
    let said = CommandLine(language);
    let of = |kind| told.get(kind).map(text);
    let arg = || of(ContextKind::InvalidArg);
    let what = match told.kind() {
        ErrorKind::UnknownArgument => said.unknown_argument(arg()?),
        ErrorKind::InvalidSubcommand => said.unknown_command(of(ContextKind::InvalidSubcommand)?),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => match of(ContextKind::InvalidValue)? {
            value if value.is_empty() => said.no_value(arg()?),
            value => {
                let wrong = said.wrong_value(value, arg()?);
                std::error::Error::source(told).map_or(wrong.clone(), |why| said.because(wrong, why))
            }
        },
        ErrorKind::MissingRequiredArgument => said.missing(arg()?),
        ErrorKind::ArgumentConflict => match (arg()?, of(ContextKind::PriorArg)?) {
            (one, other) if one == other => said.twice(one),
            (one, other) => said.conflict(one, other),
        },
        _ => return None,
    };
    let possible = of(ContextKind::ValidValue).filter(|values| !values.is_empty());
    let similar = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let similar = similar.into_iter().find_map(of);
    let tips = [possible.map(|values| said.possible(values)), similar.map(|name| said.similar(name))];
    let tips = tips.into_iter().flatten().map(|tip| format!("  {}", said.tip(tip)));
    let usage = of(ContextKind::Usage).map(|usage| {
        let help = Help(language);
        format!("{}{}", help.usage(), in_words(usage.trim_start_matches("Usage:").trim(), help))
    });
    let parts = std::iter::once(said.error(what)).chain(tips).chain(usage);
    Some(parts.chain([said.more().to_owned()]).collect::<Vec<_>>().join("\n\n") + "\n")
}

fn text(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join("`、`"),
        other => other.to_string(),
    }
}
