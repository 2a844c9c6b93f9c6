//! What the terminal's keys are called here. The one file besides `tty` and `driver` that knows
//! the library that reads them.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::keys::Key;

/// Returns what an event of the terminal means to us; nothing for one that is no key.
pub(super) fn key_of(event: Event) -> Option<Key> {
    match event {
        Event::Key(event) => pressed(event),
        Event::Paste(text) => Some(Key::Paste(text)),
        Event::Resize(_, _) | Event::FocusGained | Event::FocusLost | Event::Mouse(_) => None,
    }
}

fn pressed(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    let shift = event.modifiers.contains(KeyModifiers::SHIFT);
    Some(match event.code {
        KeyCode::Char(letter) if control => return control_key(letter),
        KeyCode::Char('m' | 'M') if alt => Key::Note,
        KeyCode::Char('b') if alt => Key::WordLeft,
        KeyCode::Char('f') if alt => Key::WordRight,
        KeyCode::Char(_) if alt => return None,
        KeyCode::Char(letter) => Key::Char(letter),
        KeyCode::Enter if alt || shift => Key::NewLine,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Tab if shift => Key::BackTab,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left if control || alt => Key::WordLeft,
        KeyCode::Right if control || alt => Key::WordRight,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Backspace if alt || control => Key::DeleteWord,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::F(1) => Key::Help,
        _ => return None,
    })
}

fn control_key(letter: char) -> Option<Key> {
    Some(match letter.to_ascii_lowercase() {
        'a' => Key::Home,
        'c' => Key::Interrupt,
        'd' => Key::EndOfInput,
        'e' => Key::End,
        'h' => Key::Backspace,
        'j' => Key::NewLine,
        'k' => Key::DeleteToEnd,
        'n' => Key::Down,
        'p' => Key::Up,
        'u' => Key::DeleteToStart,
        'w' => Key::DeleteWord,
        'z' => Key::Suspend,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_let_go_does_nothing() {
        let mut event = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        assert_eq!(pressed(event), Some(Key::Enter));
        event.kind = KeyEventKind::Release;
        assert_eq!(pressed(event), None);
        event.kind = KeyEventKind::Repeat;
        assert_eq!(pressed(event), Some(Key::Enter));
    }

    #[test]
    fn a_new_line_is_alt_enter_shift_enter_or_ctrl_j() {
        let check = |code, modifiers| {
            let event = KeyEvent::new(code, modifiers);
            assert_eq!(pressed(event), Some(Key::NewLine));
        };
        check(KeyCode::Enter, KeyModifiers::ALT);
        check(KeyCode::Enter, KeyModifiers::SHIFT);
        check(KeyCode::Char('j'), KeyModifiers::CONTROL);
    }
}
