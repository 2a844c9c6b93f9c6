//! What people call a thing of a short list: by its name in any case, or by its number.

/// Finds the place of a name: word for word, else in any case where that is one only, else by its number.
pub fn find(name: &str, names: &[&str]) -> Option<usize> {
    let name = name.trim();
    names.iter().position(|known| *known == name).or_else(|| in_any_case(name, names)).or_else(|| {
        let number: usize = name.parse().ok()?;
        number.checked_sub(1).filter(|place| *place < names.len())
    })
}

/// Finds the place of the one name that is this in any case.
pub fn in_any_case(name: &str, names: &[&str]) -> Option<usize> {
    let folded = name.trim().to_lowercase();
    if folded.is_empty() {
        return None;
    }
    let mut alike = names
        .iter()
        .enumerate()
        .filter(|(_, known)| known.trim().to_lowercase() == folded)
        .map(|(place, _)| place);
    alike.next().filter(|_| alike.next().is_none())
}

/// Reads a yes or a no, as people type them.
pub fn yes_or_no(name: &str) -> Option<bool> {
    match name.trim().to_lowercase().as_str() {
        "y" | "yes" | "true" | "是" => Some(true),
        "n" | "no" | "false" | "否" => Some(false),
        _ => None,
    }
}

/// Lists names with their numbers.
pub fn listed(names: &[&str]) -> String {
    let numbered = names.iter().enumerate().map(|(place, name)| format!("{} {name}", place + 1));
    numbered.collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_word_for_word_then_in_any_case_then_by_its_number() {
        let names = ["SQLite", "sqlite", "PostgreSQL", "3", "ÄPFEL"];
        assert_eq!(find("sqlite", &names), Some(1));
        assert_eq!(find("SQLITE", &names), None, "two are called so");
        assert_eq!(find(" postgresql ", &names), Some(2));
        assert_eq!(find("äpfel", &names), Some(4));
        assert_eq!(find("3", &names), Some(3), "a name goes before a number");
        assert_eq!(find("1", &names), Some(0));
        for wrong in ["0", "6", "", "-1", "MySQL"] {
            assert_eq!(find(wrong, &names), None, "{wrong}");
        }
    }

    #[test]
    fn yes_and_no_are_read_as_people_type_them() {
        assert_eq!(["y", "Yes", "TRUE", "是"].map(yes_or_no), [Some(true); 4]);
        assert_eq!(["n", "NO", "false", "否"].map(yes_or_no), [Some(false); 4]);
        assert_eq!(yes_or_no("maybe"), None);
    }
}
