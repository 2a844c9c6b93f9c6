//! The names under which agents call the tool (D3).

/// The name under which the tool is listed.
pub const NAME: &str = "ask_user_question";

/// All of them, in small letters.
pub const NAMES: [&str; 4] = [NAME, "askuserquestion", "askuser", "ask_user"];

/// Whether an agent means our tool, in any case of letters.
pub fn is_ours(name: &str) -> bool {
    let lower = name.to_lowercase();
    NAMES.contains(&lower.as_str())
}

/// Whether an agent means it under the name that it gives to a tool of a server, as
/// `mcp__askuser__ask_user_question` or `askuser_ask_user_question`.
pub fn is_ours_of_server(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.len() > NAME.len() && lower.ends_with(NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d3_the_tool_has_four_names_in_any_case() {
        for name in ["ask_user_question", "AskUserQuestion", "askuser", "ASK_USER"] {
            assert!(is_ours(name), "{name}");
        }
        assert!(is_ours_of_server("mcp__askuser__ask_user_question"));
        assert!(is_ours_of_server("askuser_ask_user_question") && !is_ours_of_server(NAME));
        assert!(!is_ours("ask") && !is_ours("") && !is_ours("ask_user_questions"));
    }
}
