//! What of the questions has been on the screen: only that is answered.
//!
//! A row of the asker's words counts as read once it was in sight. A question is read when all of its rows
//! were, at the width of the terminal; one that fits on the screen is read when it is first drawn.

use askuser_core::id::QuestionId;

use super::draw::Frame;
use super::panel::Panel;

impl Panel {
    /// Takes back what a drawn frame knows: how far the view is from the cursor, and what of the
    /// questions was on the screen.
    pub fn settle(&mut self, frame: &Frame) {
        self.scroll = frame.scroll;
        let in_sight = frame.reading.rows.iter().filter(|(_, in_sight)| *in_sight);
        self.seen.extend(in_sight.map(|(row, _)| row.clone()));
        if frame.reading.rows.iter().all(|(row, _)| self.seen.contains(row)) {
            self.read.extend(frame.reading.questions.iter().cloned());
        }
    }

    /// Whether a row of the asker's words was on the screen.
    pub fn has_seen(&self, row: &str) -> bool {
        self.seen.contains(row)
    }

    /// Whether everything of a question was on the screen.
    pub fn is_read(&self, id: &QuestionId) -> bool {
        self.read.contains(id)
    }
}
