//! Transcripts: a session leaves and comes back, Claude Code's own are taken in, and length is no
//! matter (P5).

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use serde_json::json;

use crate::asks::{ASKUSER, database, told};
use crate::home::TestHome;

/// What a program may use besides its code, in KiB: a million lines of any length fit into it.
const MEMORY_KIB: u32 = 256 * 1024;

/// P5: what is exported is read back the same, byte for byte and word for word.
#[test]
fn p5_a_session_is_exported_taken_in_and_read_back_the_same() {
    let home = TestHome::new();
    for pick in ["MongoDB", "SQLite"] {
        let (mut ask, id) = home.asks(&["--session", "work", &database()]);
        home.prints(&["answer", &id, "--pick", pick, "--note", "Database=`why` not"]);
        assert_eq!(ask.ends(), 0);
    }
    let exported = home.prints(&["history", "work", "--export", "jsonl"]);
    assert_eq!(exported.lines().count(), 4, "{exported}");
    let file = home.home.folder().join("my work.jsonl");
    fs::write(&file, format!("{exported}\n")).unwrap();
    let file = file.to_str().unwrap();
    let said = home.prints(&["history", "--import", file]);
    assert!(said.starts_with("Imported file:my-work: 2 messages in 2 rounds.\n"), "{said}");
    assert_eq!(home.prints(&["history", "file:my-work", "--export", "jsonl"]), exported);
    let of_session = home.prints(&["history", "work", "--export", "md"]);
    let of_file = home.prints(&["history", "file:my-work", "--export", "md"]);
    assert_eq!(of_session.strip_prefix("# work\n"), of_file.strip_prefix("# my-work\n"));
    for words in ["## Round 2", "- [x] SQLite", "  - Note: `why` not", "*answered (user) by local via api*"] {
        assert!(of_session.contains(words), "{words}: {of_session}");
    }
    // The same once more is the same transcript; an unknown line in it is no harm.
    fs::write(file, format!("{exported}\n{{\"type\":\"mystery\"}}\nnot JSON\n")).unwrap();
    let again = home.json(&["history", "--import", file, "--json"]);
    assert_eq!((&again["name"], &again["broken_lines"]), (&json!("file:my-work"), &json!(1)), "{again}");
}

/// P5: the agent's own folder is looked at on request, and one of its transcripts is picked.
#[test]
fn p5_claude_codes_own_transcripts_are_listed_and_taken_in() {
    let home = TestHome::new();
    assert!(home.prints(&["history", "--projects"]).starts_with("No transcripts in ~/.claude/projects"));
    let above = home.home.folder().parent().unwrap().to_owned();
    let project = above.join(".claude/projects/-srv-shop");
    fs::create_dir_all(&project).unwrap();
    let ids = ["11111111-aaaa-4000-8000-000000000001", "11111111-bbbb-4000-8000-000000000002"];
    for (id, words) in ids.into_iter().zip(["Add a cart", "Mend the till"]) {
        let lines = [
            json!({"type": "file-history-snapshot", "snapshot": {}}),
            json!({"type": "user", "isMeta": true, "uuid": "m", "parentUuid": null, "cwd": "/srv/shop",
                "message": {"role": "user", "content": "<command-name>/init</command-name>"}}),
            json!({"type": "user", "uuid": "a", "parentUuid": "m", "sessionId": id, "cwd": "/srv/shop",
                "message": {"role": "user", "content": words}}),
            json!({"type": "assistant", "uuid": "b", "parentUuid": "a", "sessionId": id,
                "message": {"role": "assistant", "content": [{"type": "text", "text": "Gladly."}]}}),
        ];
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        fs::write(project.join(format!("{id}.jsonl")), lines.join("\n")).unwrap();
    }
    let listed = home.prints(&["history", "--projects"]);
    for words in [ids[0], ids[1], "/srv/shop", "Add a cart", "Mend the till"] {
        assert!(listed.contains(words), "{words}: {listed}");
    }
    assert_eq!(home.json(&["history", "--projects", "--json"])["total"], 2);
    let unclear = home.run(&["history", "--import", "11111111"]);
    assert_eq!(unclear.status.code(), Some(2), "{}", told(&unclear));
    let taken = home.json(&["history", "--import", "11111111-b", "--json"]);
    assert_eq!((&taken["name"], &taken["messages"]), (&json!(format!("file:{}", ids[1])), &json!(3)));
    let read = home.prints(&["history", &format!("file:{}", ids[1])]);
    assert!(read.contains("> Mend the till") && read.contains("Gladly."), "{read}");
    // History is for people, and a desk elsewhere keeps its own files.
    for vars in [[("CLAUDECODE", "1")], [("ASKUSER_URL", "http://127.0.0.1:9")]] {
        let refused = home.run_with(&vars, &["history", "--import", ids[0]]);
        assert_eq!(refused.status.code(), Some(2), "{}", told(&refused));
    }
    for wrong in [["history", "--import", "nobody"], ["history", "file:nobody", "--as-person"]] {
        let refused = home.run(&wrong);
        assert_eq!(refused.status.code(), Some(2), "{}", told(&refused));
    }
}

/// P5: length is no matter: the system itself holds the program to a fixed amount of memory.
#[test]
fn p5_a_long_transcript_is_taken_in_and_read_in_bounded_memory() {
    let n_lines: usize = std::env::var("ASKUSER_TRANSCRIPT_LINES").map_or(20_000, |n| n.parse().unwrap());
    let home = TestHome::new();
    fs::create_dir_all(home.home.folder()).unwrap();
    let file = home.home.folder().join("long.jsonl");
    write_long(&file, n_lines);
    let bounded = |args: &[&str]| {
        let limit = format!("ulimit -d {MEMORY_KIB}; exec \"$0\" \"$@\"");
        let args: Vec<&str> = ["-c", &limit, ASKUSER].into_iter().chain(args.iter().copied()).collect();
        let output = home.command("sh", &args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", told(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let said = bounded(&["history", "--import", file.to_str().unwrap(), "--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    // One line in a thousand is broken, and one in a thousand is of a kind that nobody knows.
    let told_lines = n_lines - 2 * n_lines.div_ceil(1000);
    assert_eq!(
        (&said["messages"], &said["broken_lines"]),
        (&json!(told_lines), &json!(n_lines.div_ceil(1000)))
    );
    let read = bounded(&["history", "file:long", "--export", "md"]);
    assert_eq!(read.matches("**Agent**").count(), told_lines / 2);
    let copied = bounded(&["history", "file:long", "--export", "jsonl"]);
    assert_eq!(copied.len() as u64, fs::metadata(&file).unwrap().len());
}

/// Writes a conversation: a call and its result, a text and a prompt, again and again.
fn write_long(path: &Path, n_lines: usize) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    let mut parent = "null".to_owned();
    let mut line = String::new();
    for idx in 0..n_lines {
        line.clear();
        match idx % 1000 {
            0 => line.push_str("{\"type\":\"assistant\",\"half a li"),
            1 => line.push_str("{\"type\":\"never-heard-of\",\"content\":[1,2,3]}"),
            _ => {
                let (kind, role) = if idx % 2 == 0 { ("assistant", "assistant") } else { ("user", "user") };
                write!(
                    line,
                    "{{\"type\":\"{kind}\",\"uuid\":\"00000000-0000-4000-8000-{idx:012}\",\"parentUuid\":{parent},\
                     \"timestamp\":\"2026-10-01T00:00:00.000Z\",\"message\":{{\"role\":\"{role}\",\"id\":\"msg_{idx}\",\
                     \"content\":[{{\"type\":\"text\",\"text\":\"line {idx} of a long talk\"}}]}}}}"
                )
                .unwrap();
                parent = format!("\"00000000-0000-4000-8000-{idx:012}\"");
            }
        }
        writeln!(file, "{line}").unwrap();
    }
    file.flush().unwrap();
}
