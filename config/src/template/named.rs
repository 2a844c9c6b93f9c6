//! An ask that names a template instead of bringing its questions: `{"template": …, "vars": {…}}`.

use askuser_core::problem::{Fault, Problem};
use askuser_words::fault::{Wrong, unfit};
use serde_json::{Map, Value};

use super::project::Project;
use super::{Shelf, TemplateError, Variables};

/// An ask by the name of its template.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    name: String,
    given: Variables,
    /// What else stands in the ask.
    said: Map<String, Value>,
}

impl Named {
    /// Reads it; none where the ask names no template, or brings its questions itself.
    pub fn read(ask: &Value) -> Result<Option<Self>, Vec<Problem>> {
        let given = |name: &str| ask.get(name).filter(|value| !value.is_null());
        let (Some(said), Some(name), None) = (ask.as_object(), given("template"), given("questions")) else {
            return Ok(None);
        };
        let Some(name) = name.as_str() else {
            return Err(vec![Problem::new("template", unfit(Wrong::not_a_text))]);
        };
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Ok(None);
        }
        let given = variables(given("vars"))?;
        // What is left empty does not go before what stands in the template.
        let is_said = |(key, value): &(&String, &Value)| {
            !matches!(key.as_str(), "template" | "vars") && !value.is_null()
        };
        let said = said.iter().filter(is_said).map(|(key, value)| (key.clone(), value.clone())).collect();
        Ok(Some(Self { name, given, said }))
    }

    /// Fills it in: an ask, as JSON. What else stands in the ask goes before what stands in the template.
    pub fn fill(&self, templates: &Shelf, project: &dyn Project) -> Result<Value, TemplateError> {
        let mut filled = templates.ask(&self.name, &self.given, project)?;
        if let Some(fields) = filled.as_object_mut() {
            fields.extend(self.said.clone());
        }
        Ok(filled)
    }
}

/// Reads what is put into a template: texts, numbers, true and false.
fn variables(vars: Option<&Value>) -> Result<Variables, Vec<Problem>> {
    let wrong = |path: String, what: Fault| vec![Problem::new(path, what)];
    let text = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Ok((name.clone(), text.clone())),
        Value::Number(_) | Value::Bool(_) => Ok((name.clone(), value.to_string())),
        _ => Err(wrong(format!("vars.{name}"), unfit(Wrong::not_a_text))),
    };
    match vars {
        None => Ok(Variables::new()),
        Some(Value::Object(vars)) => vars.iter().map(text).collect(),
        Some(_) => Err(wrong("vars".to_owned(), unfit(Wrong::no_object))),
    }
}
