//! Faults in the words of Zod 3, which the callers of `AskUserQuestion` know (T6).
//!
//! What Zod has no words for is a plain sentence that begins with a capital letter.

use askuser_core::problem::{Fault, Problem};

/// Writes one line of the list of faults: `- questions[0].multiSelect: Required`.
pub fn line(problem: &Problem) -> String {
    let path = match problem.path.as_str() {
        "" => "(root)",
        path => path,
    };
    format!("- {path}: {}", words(&problem.fault))
}

/// Writes a fault.
pub fn words(fault: &Fault) -> String {
    match fault {
        Fault::Missing => "Required".to_owned(),
        Fault::WrongType { expected, received } => {
            format!("Expected {expected}, received {received}")
        }
        Fault::NotOneOf { expected, received } => {
            let expected: Vec<String> = expected.iter().map(|word| format!("'{word}'")).collect();
            format!("Invalid enum value. Expected {}, received '{received}'", expected.join(" | "))
        }
        Fault::TooFewChars { min, .. } => {
            format!("String must contain at least {min} character(s)")
        }
        Fault::TooManyChars { max, .. } => {
            format!("String must contain at most {max} character(s)")
        }
        Fault::TooFewItems { min, .. } => format!("Array must contain at least {min} element(s)"),
        Fault::TooManyItems { max, .. } => format!("Array must contain at most {max} element(s)"),
        Fault::TooManyBytes { .. }
        | Fault::Duplicate { .. }
        | Fault::LooksLike { .. }
        | Fault::TooDeep { .. }
        | Fault::NoSuchChoice { .. }
        | Fault::NoSuchQuestion { .. }
        | Fault::Cycle { .. }
        | Fault::ControlCharacter { .. }
        | Fault::WrongFormat(_)
        | Fault::NoFreeText
        | Fault::NoToolCall { .. }
        | Fault::SeveralToolCalls { .. }
        | Fault::NeverShown { .. }
        | Fault::NothingLeft
        | Fault::NameOfAnAsk
        | Fault::Nobody
        | Fault::TooFewPeople { .. }
        | Fault::TooFewPicks { .. }
        | Fault::Other(_) => format!("It {fault}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t6_a_fault_is_worded_as_zod_words_it() {
        let check = |fault: Fault, expected: &str| assert_eq!(words(&fault), expected);
        check(Fault::Missing, "Required");
        check(Fault::WrongType { expected: "string", received: "null" }, "Expected string, received null");
        check(
            Fault::NotOneOf { expected: vec!["a".into(), "b".into()], received: "c".into() },
            "Invalid enum value. Expected 'a' | 'b', received 'c'",
        );
        check(Fault::TooFewChars { min: 1, got: 0 }, "String must contain at least 1 character(s)");
        check(Fault::TooManyItems { max: 4, got: 5 }, "Array must contain at most 4 element(s)");
        check(Fault::Duplicate { of: "a.b".into() }, "It is the same as a.b");
        let root = Problem::new("", Fault::Missing);
        assert_eq!(line(&root), "- (root): Required");
    }
}
