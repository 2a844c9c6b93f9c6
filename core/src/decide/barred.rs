//! What only some may do: why a command of this one is not carried out (invariants 5 and 6).

/// Why somebody may not do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Barred {
    /// Only an agent asks.
    #[error("only an agent asks")]
    AgentAsks,
    /// Only a person answers.
    #[error("only a person answers: an agent's key may ask, wait and withdraw")]
    PersonAnswers,
    /// Only a person reopens a question.
    #[error("only a person takes a question up again")]
    PersonReopens,
    /// Only a person goes back.
    #[error("only a person goes back to an earlier point")]
    PersonRestores,
    /// Only a person gives a task.
    #[error("only a person gives a task to an agent")]
    PersonTasks,
    /// Only a person resumes a task.
    #[error("only a person takes a task up again")]
    PersonResumes,
    /// Only a person speaks to a running agent.
    #[error("only a person speaks to the agent of a task")]
    PersonSpeaks,
    /// Only the server applies rules.
    #[error("only the server answers by a rule")]
    ServerRules,
    /// Only the server ends an ask in time.
    #[error("only the server ends an ask at its deadline")]
    ServerEnds,
    /// Only the server escalates.
    #[error("only the server shows an ask to others")]
    ServerEscalates,
    /// Only the asker withdraws.
    #[error("only the asker takes an ask back: a person declines it")]
    AskerWithdraws,
    /// Only the asker takes the outcome.
    #[error("only the asker takes an outcome")]
    AskerTakes,
    /// Only the runner moves a task.
    #[error("only the one that runs a task moves it on")]
    RunnerMoves,
    /// Only the runner tells what an agent said.
    #[error("only the one that runs a task tells what its agent said")]
    RunnerTells,
    /// A secret is not held back.
    #[error("a secret is sent at once and not held back: answer it instead")]
    SecretHeld,
    /// An answer in a dialog is not held back.
    #[error("what an agent's dialog was told is final: answer it instead")]
    DialogHeld,
    /// Answers in a dialog are off.
    #[error(
        "answers in an agent's own dialog are off: only `mcp: {{agent_dialog: true}}` in config.yaml allows them"
    )]
    DialogOff,
    /// A dialog belongs to an agent.
    #[error("this needs an agent's key")]
    DialogOfNoAgent,
    /// The ask is for other people.
    #[error("this question is for other people: they answer it, and you can watch")]
    ForOthers,
    /// People by name do not answer in a dialog.
    #[error(
        "an ask for people by their names is not answered in an agent's dialog: nobody knows who sits there"
    )]
    NamedInDialog,
    /// The dialog is another agent's.
    #[error("an agent's dialog answers only what came in by that agent's own key")]
    AnothersDialog,
    /// The ask is another agent's.
    #[error("another agent's key asked this: an agent takes back only what it asked itself")]
    AnothersAsk,
    /// A rule does not answer for others.
    #[error("a rule answers for whoever wrote it, and not for the people an ask names")]
    RuleForOthers,
    /// Nobody knows that a person granted it.
    #[error(
        "a permission is granted on the web page, or in a terminal that a person opened and no agent runs in"
    )]
    NotProven,
}
