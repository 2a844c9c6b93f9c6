//! What somebody may have meant.

use askuser_words::config::Wrong;

/// Returns the known name that is near to one that is not known.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let alike = |other: &&str| strsim::jaro_winkler(name, other);
    let nearest = known.into_iter().max_by(|one, other| alike(one).total_cmp(&alike(other)));
    nearest.filter(|nearest| alike(nearest) > 0.75)
}

/// Says which known name is nearest to one that is not known; what there is, where none is near.
pub(super) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, say: Wrong) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(name, known.iter().copied()) {
        Some(nearest) => say.did_you_mean(nearest),
        None if known.is_empty() => say.none_there().to_owned(),
        None => say.one_of_these(known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use askuser_words::Language;

    use super::*;

    #[test]
    fn a_slip_is_told_from_nonsense() {
        let known = ["session_timeout", "question_timeout"];
        let did_you_mean = |name, known: &[&'static str]| {
            did_you_mean(name, known.iter().copied(), Wrong(Language::English))
        };
        assert_eq!(did_you_mean("sesion_timeout", &known), "did you mean `session_timeout`?");
        assert_eq!(did_you_mean("zzz", &known), "use one of session_timeout, question_timeout");
        assert_eq!(did_you_mean("zzz", &[]), "there are none");
        assert_eq!(
            (nearest("sesion_timeout", known), nearest("zzz", known)),
            (Some("session_timeout"), None)
        );
    }
}
