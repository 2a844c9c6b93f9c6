//! Colours by role, as `gh` has them; where they are wanted is decided as `NO_COLOR` and `CLICOLOR_FORCE`
//! say (no-color.org, bixense.com/clicolors). `--color` sets those two for everything that follows.

use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};

use askuser_system::environment::Environment;

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Nothing special.
    #[default]
    Plain,
    /// The title of a column or a part.
    Title,
    /// The name of a thing, to be copied.
    Id,
    /// What counts most.
    Strong,
    /// What counts least.
    Dim,
    /// It is well, or done.
    Good,
    /// It wants to be looked at.
    Warn,
    /// It is wrong.
    Bad,
}

impl Role {
    /// Returns how it looks.
    pub fn style(self) -> Style {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(anstyle::Color::Ansi(colour)));
        match self {
            Self::Plain => Style::new(),
            Self::Title => Style::new().dimmed().underline(),
            Self::Id => colour(AnsiColor::Cyan),
            Self::Strong => Style::new().bold(),
            Self::Dim => Style::new().dimmed(),
            Self::Good => colour(AnsiColor::Green),
            Self::Warn => colour(AnsiColor::Yellow),
            Self::Bad => colour(AnsiColor::Red).bold(),
        }
    }
}

/// Whether there are colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// No colours.
    pub const NONE: Self = Self { on: false };

    /// Decides for a stream.
    pub fn of(is_terminal: bool, environment: &Environment) -> Self {
        let forced = environment.get("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let off = environment.get("CLICOLOR") == Some("0")
            || environment.get("TERM") == Some("dumb")
            // What an agent reads is text.
            || environment.agent_mark().is_some();
        Self { on: !environment.has("NO_COLOR") && (forced || is_terminal && !off) }
    }

    /// Decides for standard error.
    pub fn of_stderr(environment: &Environment) -> Self {
        Self::of(io::stderr().is_terminal(), environment)
    }

    /// Whether there are colours.
    pub fn is_on(self) -> bool {
        self.on
    }

    /// Returns a text in the colour of its role. It must be harmless already.
    pub fn text(self, role: Role, text: &str) -> String {
        if !self.on || role == Role::Plain || text.is_empty() {
            return text.to_owned();
        }
        let style = role.style();
        format!("{style}{text}{style:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_unless_somebody_says_otherwise() {
        let on = |is_terminal, vars: &[(&str, &str)]| Paint::of(is_terminal, &Environment::of(vars)).is_on();
        assert!(on(true, &[]) && !on(false, &[]));
        assert!(!on(true, &[("NO_COLOR", "1")]) && on(true, &[("NO_COLOR", "")]));
        assert!(on(false, &[("CLICOLOR_FORCE", "1")]) && !on(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!on(false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        assert!(!on(true, &[("TERM", "dumb")]) && !on(true, &[("CLICOLOR", "0")]));
    }

    #[test]
    fn a_pipe_gets_the_text_and_nothing_else() {
        assert_eq!(Paint::NONE.text(Role::Bad, "error:"), "error:");
        assert_eq!(Paint { on: true }.text(Role::Good, "ok"), "\u{1b}[32mok\u{1b}[0m");
        assert_eq!(Paint { on: true }.text(Role::Plain, "ok"), "ok");
    }
}
