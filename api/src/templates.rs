//! Question templates of the data folder.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::route::{Done, routes};
use crate::shapes::Open;

routes! {
    ListTemplates(PersonOrAdmin, Reads) Get "/api/templates" => Templates:
        "Question templates, with how often they were used";
    ShowTemplate(PersonOrAdmin, Reads) Get "/api/templates/{name}" => Template: "One template, as it is in its file";
    PutTemplate(PersonOrAdmin, Writes) Put "/api/templates/{name}" body TemplateText; status &[200, 201]; => PutThere:
        "Saves a template, if it is valid";
    RemoveTemplate(PersonOrAdmin, Writes) Delete "/api/templates/{name}" => Done: "Removes a template";
}

/// Templates.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Templates {
    /// The templates.
    pub templates: Vec<Template>,
}

/// A template.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// Whose it is; null where it is for everybody's agents.
    pub owner: Option<String>,
    /// How often it was used since the server started.
    pub hits: u64,
    /// What is wrong with it, where something is: it cannot be used then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<String>,
    /// What it asks.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub sound: Option<Sound>,
    /// The file, where one template was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What a sound template asks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Sound {
    /// What it is for.
    pub description: Option<String>,
    /// What changes in it.
    pub variables: Vec<Variable>,
    /// The ask, with places for what changes.
    pub ask: Open,
}

/// What changes in a template.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// What it is where nothing is said.
    pub default: Option<String>,
}

/// A template to put there: as YAML in `text`, else the template itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct TemplateText {
    /// The template as YAML.
    pub text: Option<String>,
}

/// It is there.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PutThere {
    /// Always.
    pub success: bool,
    /// Its name.
    pub name: String,
    /// Whose it is; null where it is for everybody's agents.
    pub owner: Option<String>,
}
