//! The section is read, and what is wrong with it is said where it stands.

use super::*;
use crate::Hidden;
use crate::yaml;

fn read_text(text: &str) -> (Notify, Vec<String>) {
    let node = yaml::parse(text).unwrap();
    let mut faults = Vec::new();
    let notify = read(node.get("notify").unwrap(), &mut faults);
    (notify, faults.iter().map(|fault| fault.said().to_string()).collect())
}

#[test]
fn the_sample_has_every_key_with_its_default_and_every_kind_of_channel() {
    let (notify, faults) = read_text(SAMPLE);
    assert!(faults.is_empty(), "{faults:?}");
    let person = &notify.people["local"];
    let usual = PersonPart { channels: person.channels.clone(), ..PersonPart::default() };
    assert_eq!(*person, usual, "the sample says the defaults");
    assert_eq!(person.channels.len(), 8);
    let usual = Notify { url: notify.url.clone(), people: notify.people.clone(), ..Notify::default() };
    assert_eq!(notify, usual);
}

#[test]
fn times_and_hours_are_read_as_people_write_them() {
    let (notify, faults) = read_text(
        "notify:\n  people:\n    ann: {quiet: 22:00-07:00, utc_offset: \"-03:30\", remind: [10m, 3600], wait: 5}\n",
    );
    assert!(faults.is_empty(), "{faults:?}");
    let ann = &notify.people["ann"];
    assert_eq!(ann.quiet, Some(Quiet { from: 22 * 60, to: 7 * 60 }));
    assert_eq!(ann.utc_offset, Offset(-210));
    assert_eq!(ann.remind, [Duration::from_mins(10), Duration::from_hours(1)]);
    assert_eq!(ann.wait, Duration::from_secs(5));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, told) in [
        ("notify: {urls: x}", "under `notify`: no key `urls`: did you mean `url`?"),
        ("notify: {url: askuser.example.com}", "`notify.url` is `askuser.example.com`, not an address"),
        ("notify: {push_servers: [push.lan]}", "`notify.push_servers` is `push.lan`, not an address"),
        ("notify: {contact: ann@desk.example}", "not an address that begins with mailto: or https://"),
        (
            "notify: {people: {ann: {quiet: night}}}",
            "`night` is not a time of day: write it like 22:00-07:00",
        ),
        (
            "notify: {people: {ann: {utc_offset: \"CET\"}}}",
            "`CET` is not an offset from UTC: write it like \"+08:00\"",
        ),
        ("notify: {people: {ann: {wait: soon}}}", "`soon` is not a length of time"),
        (
            "notify: {people: {ann: {channels: {a: {kind: pigeon}}}}}",
            "is `pigeon`, not one of desktop, command",
        ),
        (
            "notify: {people: {ann: {channels: {a: {kind: ntfy}}}}}",
            "under `notify.people.ann`: the channel `a`: `topic` is missing",
        ),
        ("notify: {people: {ann: {channels: {a: {kind: ntfy, topic: x, priority: 9}}}}}", "is 9, not 1 to 5"),
        ("notify: {people: {ann: {channels: {a: {kind: command, command: []}}}}}", "names no program"),
        (
            "notify: {people: {ann: {channels: {a: {kind: command, comand: [x]}}}}}",
            "no key `comand`: did you mean `command`?",
        ),
        (
            "notify: {people: {ann: {channels: {a: {kind: telegram, token: x, chat: 1, people: []}}}}}",
            "nobody could answer",
        ),
        (
            "notify: {people: {ann: {channels: {a: {kind: email, server: a, from: b, to: c}}}}}",
            "not an address that begins with smtps://",
        ),
        ("notify: {people: {ann: {escalate: {after: 5m, to: bob}}}}", "`bob`, who is not in"),
        (
            "notify: {people: {ann: {escalate: {after: 5m, channels: [ops]}}}}",
            "the channel `ops`, which does not exist",
        ),
    ] {
        let (_, faults) = read_text(text);
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
        assert!(faults[0].starts_with("line 1, column ") && faults[0].contains(told), "{faults:?}");
    }
}

#[test]
fn what_is_hidden_is_not_printed_and_may_stand_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("topic"), "quiet-river\n").unwrap();
    assert_eq!(Hidden::new("plain").reveal(folder.path()).unwrap(), "plain");
    assert_eq!(Hidden::new("file:topic").reveal(folder.path()).unwrap(), "quiet-river");
    assert!(Hidden::new("file:none").reveal(folder.path()).unwrap_err().english.contains("none"));
    assert_eq!(format!("{:?}", Hidden::new("plain")), "Hidden(…)");
}
