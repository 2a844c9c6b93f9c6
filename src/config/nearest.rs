//! What somebody may have meant.

/// Returns words that say which known name is nearest to one that is not known; what there is, where
/// none is near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let alike = |other: &&&str| strsim::jaro_winkler(name, other);
    let nearest = known.iter().max_by(|one, other| alike(one).total_cmp(&alike(other)));
    match nearest {
        Some(nearest) if alike(&nearest) > 0.75 => format!("did you mean `{nearest}`?"),
        Some(_) => format!("there are {}", known.join(", ")),
        None => "there are none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_from_nonsense() {
        let known = ["session_timeout", "question_timeout"];
        assert_eq!(did_you_mean("sesion_timeout", known), "did you mean `session_timeout`?");
        assert_eq!(did_you_mean("zzz", known), "there are session_timeout, question_timeout");
        assert_eq!(did_you_mean("zzz", []), "there are none");
    }
}
