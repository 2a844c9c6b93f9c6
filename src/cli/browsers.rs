//! `askuser browsers`: the browsers in which you are signed in; rename one, sign one out.

use hyper::Method;
use serde_json::{Value, json};

use super::args::Browsers;
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::{field, table};
use crate::client::in_path;
use crate::client::keys::KeyFor;
use crate::environment::Environment;

/// Lists the browsers, or changes one.
pub fn run(args: &Browsers, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, args.insists.as_person).await?;
        let call = async |method, path: &str, body| client.plain(method, path, KeyFor::Person, body).await;
        if let Some(id) = &args.sign_out {
            call(Method::DELETE, &format!("/api/browsers/{}", in_path(id)), None).await?;
            return done(&format!("signed out {id}"));
        }
        if let Some([id, name]) = args.rename.as_deref() {
            let body = json!({ "name": name });
            call(Method::PUT, &format!("/api/browsers/{}", in_path(id)), Some(body)).await?;
            return done(&format!("{id} is now called {name}"));
        }
        let told = call(Method::GET, "/api/browsers", None).await?;
        if args.form.json {
            return done(&told.to_string());
        }
        let browsers = told.get("browsers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if browsers.is_empty() {
            return done("no browser is signed in; `askuser open` signs one in");
        }
        let columns = ["browser_id", "signed_in_at", "last_seen_at"];
        let rows: Vec<Vec<String>> = browsers
            .iter()
            .map(|browser| {
                let may_grant = browser.get("may_grant") == Some(&Value::Bool(true));
                let mut row: Vec<String> = columns.iter().map(|column| field(browser, column)).collect();
                row.push(if may_grant { "yes" } else { "no" }.to_owned());
                row.push(field(browser, "name"));
                row
            })
            .collect();
        done(&table(&["BROWSER", "SIGNED IN", "LAST USED", "PERMISSIONS", "NAME"], &rows))
    })
}
