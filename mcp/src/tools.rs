//! The tools that are listed: their names, texts and schemas. The words are in files of their own,
//! because every agent pays for them in every request.

use std::sync::Arc;

use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::Value;

use askuser_agents::{Agent, by_client};
use askuser_wire::tool;

/// What a call asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Ask,
    Wait,
    List,
    Cancel,
}

impl Verb {
    /// Finds what a tool's name means, in any case of letters, under each of its names (D3).
    pub(super) fn of(name: &str) -> Option<Self> {
        if tool::is_ours(name) {
            return Some(Self::Ask);
        }
        TEXTS.iter().find(|text| text.name.eq_ignore_ascii_case(name)).map(|text| text.verb)
    }
}

struct Text {
    verb: Verb,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    schema: &'static str,
}

macro_rules! text {
    ($verb:ident, $name:literal, $title:literal) => {
        Text {
            verb: Verb::$verb,
            name: $name,
            title: $title,
            description: include_str!(concat!("tools/", $name, ".md")),
            schema: include_str!(concat!("tools/", $name, ".json")),
        }
    };
}

const TEXTS: [Text; 4] = [
    text!(Ask, "ask_user_question", "Ask the person"),
    text!(Wait, "wait_for_answer", "Wait for the answer"),
    text!(List, "list_asks", "List open questions"),
    text!(Cancel, "cancel_ask", "Take a question back"),
];

/// What only the model of an agent with such a mode is told.
const PLAN_MODE: &str = include_str!("tools/plan_mode.md");

/// Returns every tool, as a client of this name is to read it.
pub(super) fn all(client: Option<&str>) -> Vec<Tool> {
    TEXTS.iter().map(|text| tool(text, client.and_then(by_client))).collect()
}

fn tool(text: &Text, agent: Option<&Agent>) -> Tool {
    let description = match text.verb {
        Verb::Ask if agent.is_some_and(|agent| agent.has_plan_mode) => {
            format!("{}{PLAN_MODE}", text.description)
        }
        _ => text.description.to_owned(),
    };
    let schema: JsonObject = serde_json::from_str(text.schema).unwrap_or_default();
    // Asking changes nothing (E6): agents then ask for no permission, and call in parallel.
    let reads = text.verb != Verb::Cancel;
    let annotations = ToolAnnotations::from_raw(
        Some(text.title.to_owned()),
        Some(reads),
        Some(false),
        Some(true),
        Some(false),
    );
    let description = description.trim_end().to_owned();
    let tool = Tool::new(text.name, description, Arc::new(schema)).with_annotations(annotations);
    match text.verb {
        // Claude Code hides tools behind its search otherwise, and then nobody is asked.
        Verb::Ask | Verb::Wait => {
            let mut meta = MetaObject::new();
            meta.insert("anthropic/alwaysLoad".to_owned(), Value::Bool(true));
            tool.with_meta(meta)
        }
        Verb::List | Verb::Cancel => tool,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Every agent pays for these words in every request of its model.
    const TOKENS_MAX: usize = 700;

    /// What a model reads of all tools, in tokens of four characters.
    fn n_tokens(tools: &[Tool]) -> usize {
        let read = |tool: &Tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema});
        tools.iter().map(|tool| read(tool).to_string().chars().count()).sum::<usize>().div_ceil(4)
    }

    /// P16, T12: what every agent reads. Look at it with your own eyes before you accept it.
    #[test]
    fn p16_t12_the_list_says_what_it_should_and_is_short() {
        let list = all(Some("claude-code"));
        assert!(n_tokens(&list) <= TOKENS_MAX, "{} tokens", n_tokens(&list));
        insta::assert_snapshot!("tools", serde_json::to_string_pretty(&list).unwrap());
        let text = list[0].description.clone().unwrap();
        // T12: the advice of the manual.
        for advice in ["\"(Recommended)\"", "never add an \"Other\" option", "ExitPlanMode", "multiSelect"] {
            assert!(text.contains(advice), "{advice}");
        }
        for more in ["only this card", "`context`", "pending", "wait_for_answer", "question tool of your own"]
        {
            assert!(text.contains(more), "{more}");
        }
        for tool in list {
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
        }
    }

    #[test]
    fn only_claude_code_is_told_of_its_plan_mode() {
        let says = |client| all(client)[0].description.clone().unwrap().contains("ExitPlanMode");
        assert!(says(Some("claude-code")));
        for other in [None, Some("codex-mcp-client"), Some("gemini-cli-mcp-client"), Some("claude-ai")] {
            assert!(!says(other), "{other:?}");
        }
    }

    #[test]
    fn e6_asking_says_that_it_is_read_only() {
        for tool in all(None) {
            let hints = tool.annotations.unwrap();
            assert_eq!(hints.read_only_hint, Some(tool.name != "cancel_ask"), "{}", tool.name);
            assert_eq!((hints.destructive_hint, hints.open_world_hint), (Some(false), Some(false)));
        }
    }

    #[test]
    fn d3_a_tool_is_found_under_each_of_its_names() {
        for name in ["ask_user_question", "AskUserQuestion", "askuser", "ASK_USER"] {
            assert_eq!(Verb::of(name), Some(Verb::Ask), "{name}");
        }
        assert_eq!(Verb::of("Wait_For_Answer"), Some(Verb::Wait));
        assert_eq!(Verb::of("rm"), None);
    }
}
