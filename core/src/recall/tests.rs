//! Made-up asks that were answered, and what is recalled of them.

use std::sync::Arc;

use super::*;
use crate::insight::tests::{picked, questions_of};

fn ann() -> UserId {
    UserId::from("ann")
}

/// So many answers of Ann's to this text, the newest first.
fn before(text: &str, choices: &[&str]) -> Vec<Ask> {
    let numbered = choices.iter().zip(0_u8..);
    let mut asks: Vec<Ask> = numbered
        .map(|(choice, n)| picked(u128::from(n) + 10, "ann", text, choice, Timestamp(n.into())))
        .collect();
    asks.reverse();
    asks
}

fn now(text: &str) -> Ask {
    picked(1, "ann", text, "b", Timestamp(99))
}

/// The usual choice of the first question: its label, how often, of how many, how many in the same words.
fn told(ask: &Ask, before: &[Ask]) -> (String, [usize; 3]) {
    let usual = recall(ask, &ann(), before).unwrap().usual.remove(0);
    (usual.label, [usual.n_picked, usual.n_answers, usual.n_same])
}

/// D19: "you chose X 4 of 5 times", from one's own answers.
#[test]
fn d19_the_usual_choice_is_counted_from_ones_own_answers_alone() {
    let before = before("Which?", &["a", "b", "a", "a", "a"]);
    let now = now("Which?");
    let recalled = recall(&now, &ann(), &before).unwrap();
    let last = recalled.last.unwrap();
    assert_eq!((last.ask, last.at), (before[0].id, Timestamp(4)));
    assert_eq!(last.entries[0].1.picked[0].as_str(), "a");
    assert_eq!(recalled.usual[0].since, Timestamp(0));
    assert_eq!(told(&now, &before), ("A".to_owned(), [4, 5, 5]));
    // Another person's, a tie, too few, and a permission, now or then.
    assert_eq!(recall(&now, &UserId::from("ben"), &before), None);
    assert!(recall(&now, &ann(), &before[3..]).unwrap().usual.is_empty());
    assert!(recall(&now, &ann(), &before[..1]).unwrap().usual.is_empty());
    let mut permission = now.clone();
    Arc::make_mut(&mut permission.terms).purpose = Purpose::Permission;
    assert_eq!(recall(&permission, &ann(), &before), None);
    permission.id = AskId(7);
    assert_eq!(recall(&now, &ann(), &[permission.clone(), permission]), None);
}

/// D19: a slightly changed text still counts, an unlike one does not; only the same is filled in again.
#[test]
fn d19_nearly_the_same_words_are_counted_and_others_are_not() {
    let before = before("Which database should I use?", &["a", "a", "b"]);
    let near = now("Which database should we use?");
    assert_eq!(told(&near, &before), ("A".to_owned(), [2, 3, 0]));
    assert_eq!(recall(&near, &ann(), &before).unwrap().last, None);
    let mut both = before.clone();
    both.insert(0, picked(50, "ann", "Which database should we use?", "a", Timestamp(50)));
    assert_eq!(told(&near, &both), ("A".to_owned(), [3, 4, 1]));
    assert_eq!(recall(&near, &ann(), &both).unwrap().last.unwrap().ask, AskId(50));
    assert_eq!(recall(&now("Which cache should I use?"), &ann(), &before), None);
    assert_eq!(recall(&now("What?"), &ann(), &before), None);
    // What was picked then is not offered now.
    let other =
        Ask { questions: questions_of(near.questions.top()[0].text.as_str(), None, &["x", "y"]), ..near };
    assert_eq!(recall(&other, &ann(), &before), None);
}

/// D19: the same header over the same choices is the same decision, in whatever words.
#[test]
fn d19_the_same_header_and_choices_are_counted() {
    let with = |asks: Vec<Ask>, text: &str, header: Option<&str>, ids: &[&str]| -> Vec<Ask> {
        let questions = questions_of(text, header, ids);
        asks.into_iter().map(|ask| Ask { questions: Arc::clone(&questions), ..ask }).collect()
    };
    let old = "The orders have to be kept somewhere. Where?";
    let earlier = with(before("x", &["a", "a", "b"]), old, Some("Database"), &["a", "b"]);
    let asked =
        |header, ids: &[&str]| with(vec![now("x")], "Which one for the invoices?", header, ids).remove(0);
    assert_eq!(told(&asked(Some("Database"), &["a", "b"]), &earlier), ("A".to_owned(), [2, 3, 0]));
    for (header, ids) in [(Some("Cache"), ["a", "b"]), (Some("Database"), ["a", "c"]), (None, ["a", "b"])] {
        assert_eq!(recall(&asked(header, &ids), &ann(), &earlier), None, "{header:?} {ids:?}");
    }
}

/// D19: of the same template, a question is the same whatever was put into its places.
#[test]
fn d19_the_same_template_is_counted_by_the_places_of_its_choices() {
    let of = |mut ask: Ask, template: Option<&str>, text: &str, ids: &[&str]| {
        ask.questions = questions_of(text, None, ids);
        Arc::make_mut(&mut ask.terms).template = template.map(str::to_owned);
        ask
    };
    let deploys = before("x", &["v1", "v1", "wait"]);
    let earlier: Vec<Ask> =
        deploys.into_iter().map(|ask| of(ask, Some("deploy"), "Is v1 good?", &["v1", "wait"])).collect();
    let asked = |template| of(now("x"), template, "May shop 2.0 go out on Friday?", &["v2", "wait"]);
    assert_eq!(told(&asked(Some("deploy")), &earlier), ("V2".to_owned(), [2, 3, 0]));
    assert_eq!(recall(&asked(Some("roll back")), &ann(), &earlier), None);
    assert_eq!(recall(&asked(None), &ann(), &earlier), None);
}

/// However much was asked before, so many answers are counted and so many texts compared.
#[test]
fn the_past_is_looked_at_so_far() {
    let many = |n: u16, text: &str| -> Vec<Ask> {
        let one = picked(100, "ann", text, "a", Timestamp(5));
        (0..n).map(|n| Ask { id: AskId(u128::from(n) + 100), ..one.clone() }).collect()
    };
    assert_eq!(told(&now("Which?"), &many(50, "Which?")).1[1], COUNTED_MAX);
    // The texts that are near come after so many that are not.
    let mut past =
        many(u16::try_from(COMPARED_MAX).unwrap(), "Something else altogether, and at some length?");
    past.extend(many(5, "Which database should we use?"));
    assert_eq!(recall(&now("Which database should I use?"), &ann(), &past), None);
    assert_eq!(told(&now("Which database should I use?"), &past[3..]).1[1], 3);
}
