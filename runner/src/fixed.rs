//! Questions that the runner itself asks (O4): about uncommitted changes before an agent begins, and
//! about merging what it made. Where nobody answers in time, the task is stopped.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use askuser_core::asker::Purpose;
use askuser_core::message::Said;
use tokio::process::Command;

use super::asking::{Question, permission};
use super::driver::{ASK_USER_TIMEOUT, BY_USER, Ending, Stage};
use crate::REASONS;
use askuser_wire::Dialect;

const YES: &str = "yes";
const NO: &str = "no";
/// Changed files that are named in a question.
const NAMED_MAX: usize = 20;

/// How long Git may take: a filter of the folder, or a disk that is away, must not hold a task for ever.
const GIT_WITHIN: Duration = Duration::from_secs(30);

/// Asks about uncommitted changes. Returns the branch that the work begins on; none where the folder
/// is not under Git, or on no branch.
pub(super) async fn before(stage: &mut Stage, folder: &Path) -> Result<Option<String>, Ending> {
    let Some(status) = git(folder, &["status", "--porcelain"]).await else { return Ok(None) };
    let n_changed = status.lines().count();
    if n_changed > 0 {
        let mut named: Vec<&str> = status.lines().take(NAMED_MAX).collect();
        let more = format!("… and {} more", n_changed.saturating_sub(NAMED_MAX));
        if n_changed > NAMED_MAX {
            named.push(&more);
        }
        let text = "This folder has uncommitted changes. Start anyway?";
        let shown = named.join("\n");
        let ask = permission("Git state", text, &shown, &[(YES, "Start"), (NO, "Stop the task")]);
        if !asked(stage, "git-state", ask).await? {
            return Err(Ending::Stopped(BY_USER));
        }
    }
    Ok(git(folder, &["symbolic-ref", "--short", "HEAD"]).await.map(|branch| branch.trim().to_owned()))
}

/// Asks whether to merge, where the agent left its commits on a branch of their own.
pub(super) async fn after(stage: &mut Stage, folder: &Path, began_on: &str) -> Ending {
    let Some(now) = git(folder, &["symbolic-ref", "--short", "HEAD"]).await else { return Ending::Done };
    let now = now.trim();
    let range = format!("{began_on}..{now}");
    let log = git(folder, &["log", "--oneline", "--no-decorate", &range]).await.unwrap_or_default();
    if now == began_on || log.trim().is_empty() {
        return Ending::Done;
    }
    let text = format!("The agent worked on the branch `{now}`. Merge it into `{began_on}`?");
    let shown: Vec<&str> = log.lines().take(NAMED_MAX).collect();
    let ask = permission("Merge", &text, &shown.join("\n"), &[(YES, "Merge"), (NO, "Leave it as it is")]);
    match asked(stage, "merge", ask).await {
        Err(ending) => ending,
        Ok(false) => Ending::Done,
        Ok(true) => merge(stage, folder, began_on, now).await,
    }
}

async fn merge(stage: &mut Stage, folder: &Path, into: &str, branch: &str) -> Ending {
    let switched = git(folder, &["switch", "--quiet", into]).await.is_some();
    if switched && git(folder, &["merge", "--no-edit", "--quiet", branch]).await.is_some() {
        stage.writer.write(Said::Notice(REASONS.merged(branch, into)));
        return Ending::Done;
    }
    if switched {
        // As it was: a merge that does not go through by itself is a person's.
        let _undone = git(folder, &["merge", "--abort"]).await;
        let _back = git(folder, &["switch", "--quiet", branch]).await;
    }
    let why = REASONS.not_merged(branch, into);
    stage.writer.write(Said::Error(why.clone()));
    Ending::Failed(why)
}

/// Asks and waits; whether the answer is yes.
async fn asked(stage: &mut Stage, key: &str, ask: serde_json::Value) -> Result<bool, Ending> {
    stage.writer.flush().await?;
    let question = Question {
        key: key.to_owned(),
        ask,
        dialect: Dialect::Full,
        purpose: Purpose::Permission,
        call: Some(format!("{key}-{}", stage.task.n_runs)),
    };
    stage.asking.ask(question).await.map_err(Ending::Failed)?;
    let stop = stage.stop.clone();
    loop {
        let answered = tokio::select! {
            answered = stage.asking.answered.recv() => answered,
            () = stop.cancelled() => return Err(Ending::Stopped(BY_USER)),
        };
        let Some(answered) = answered else { return Err(Ending::Gone) };
        if answered.key != key {
            continue;
        }
        stage.asking.handed_over(&answered).await;
        if answered.stops() {
            return Err(Ending::Stopped(ASK_USER_TIMEOUT));
        }
        return Ok(answered.picked() == Some(YES));
    }
}

/// What Git prints; none where it fails or takes too long. Without hooks and helpers of the folder:
/// only the agent runs what lies there.
async fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let printed = Command::new("git")
        .args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"])
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(GIT_WITHIN, printed).await.ok()?.ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
