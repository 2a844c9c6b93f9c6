//! Which questions stand together on a page, and the rows through which the cursor moves.
//!
//! A page is one question of the ask with the follow-ups that are open under it. Derived from the
//! sheet each time, because every pick may open or close something.

use askuser_core::id::QuestionId;
use askuser_core::question::{Kind, Question};
use askuser_core::sheet::Sheet;

/// A question on the sheet and what is open under each of its choices.
#[derive(Debug)]
pub struct Node<'a> {
    pub question: &'a Question,
    /// Per choice, the follow-ups that it opened.
    pub below: Vec<Vec<Node<'a>>>,
}

/// A place for the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub question: QuestionId,
    /// Where in it.
    pub spot: Spot,
}

/// A row of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// A choice, by its position.
    Choice(usize),
    /// The way out of the choices.
    Other,
    /// The field of a text question.
    Field,
}

/// Returns the pages: for each question of the ask that is shown or has follow-ups shown, those.
pub fn pages(sheet: &Sheet) -> Vec<Vec<Node<'_>>> {
    let visible: Vec<&QuestionId> = sheet.visible().iter().map(|visible| &visible.question.id).collect();
    let top = sheet.questions().top().iter();
    top.map(|question| nodes(question, &visible)).filter(|page| !page.is_empty()).collect()
}

/// Returns the position of the page that holds a question.
pub fn page_of(pages: &[Vec<Node<'_>>], id: &QuestionId) -> Option<usize> {
    pages.iter().position(|page| page.iter().any(|node| node.find(id).is_some()))
}

/// Returns the rows of a page from top to bottom.
pub fn rows(page: &[Node<'_>]) -> Vec<Place> {
    let mut found = Vec::new();
    for node in page {
        node.rows(&mut found);
    }
    found
}

fn nodes<'a>(question: &'a Question, visible: &[&QuestionId]) -> Vec<Node<'a>> {
    let below = question.choices.iter().map(|choice| {
        let follow_ups = choice.follow_ups.iter();
        follow_ups.flat_map(|follow_up| nodes(follow_up, visible)).collect::<Vec<_>>()
    });
    if visible.contains(&&question.id) {
        let below = below.collect();
        vec![Node { question, below }]
    } else {
        // Answered by the asker beforehand: its follow-ups stand in its place.
        below.flatten().collect()
    }
}

impl Node<'_> {
    fn rows(&self, found: &mut Vec<Place>) {
        let place = |spot| Place { question: self.question.id.clone(), spot };
        for (choice_idx, below) in self.below.iter().enumerate() {
            found.push(place(Spot::Choice(choice_idx)));
            for node in below {
                node.rows(found);
            }
        }
        match self.question.kind {
            Kind::Text => found.push(place(Spot::Field)),
            Kind::OneOf | Kind::SomeOf { .. } | Kind::YesNo => {
                if self.question.takes_other() {
                    found.push(place(Spot::Other));
                }
            }
        }
    }

    fn find(&self, id: &QuestionId) -> Option<&Self> {
        if self.question.id == *id {
            return Some(self);
        }
        self.below.iter().flatten().find_map(|node| node.find(id))
    }
}
