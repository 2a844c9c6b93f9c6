//! Reading the configuration: what goes before what, every fault with its place, the sample.

use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::sample;

fn file(text: &str) -> (tempfile::TempDir, Sources) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    fs::write(&path, text).unwrap();
    (folder, Sources { usual: Some(path), ..Sources::default() })
}

/// What is wrong with a file, without the folder.
fn faults_in(text: &str, language: Language) -> Vec<String> {
    let (folder, sources) = file(text);
    let faults = sources.load().unwrap_err().said(language);
    let before = format!("{}/config.yaml{}", folder.path().display(), language.pick(": ", "："));
    faults.lines().map(|fault| fault.strip_prefix(&before).unwrap_or(fault).to_owned()).collect()
}

fn faults(text: &str) -> Vec<String> {
    faults_in(text, Language::English)
}

/// D16: the source document's own file, to the letter.
#[test]
fn d16_the_file_of_the_source_document_is_read_as_it_stands() {
    let text = "\
# config.yaml
ask_user_question:
  # 并发控制
  max_concurrent_questions: 5
  max_sessions_per_user: 10
  
  # 超时设置
  question_timeout: 300  # 5分钟
  session_timeout: 3600  # 1小时
  
  # 性能参数
  max_input_length: 1000
  cache_ttl: 300
  
  # 安全设置
  enable_input_validation: true
  rate_limit_requests: 100
  rate_limit_window: 60
";
    let (_folder, sources) = file(text);
    let loaded = sources.load().unwrap();
    let mut expected = Config::default();
    expected.ask_user_question.question_timeout = Some(std::time::Duration::from_mins(5));
    assert_eq!(loaded.config, expected);
    // Every key of the section stands there, and no other does.
    let named: Vec<&str> =
        KEYS.iter().filter(|key| key.section == "ask_user_question").map(|key| key.name).collect();
    let written = text.lines().filter_map(|line| line.trim().split_once(": ")).map(|(name, _)| name);
    assert_eq!(written.collect::<Vec<_>>(), named);
    assert_eq!(loaded.origin("ask_user_question.question_timeout"), Origin::File { line: 8 });
}

/// D16: flags over variables over the file over defaults, for every key.
#[test]
fn d16_flags_go_before_variables_those_before_the_file_and_it_before_the_default() {
    let (_folder, mut sources) = file("ask_user_question: {max_concurrent_questions: 6}\n");
    let name = "ask_user_question.max_concurrent_questions";
    let look = |sources: &Sources| {
        let loaded = sources.load().unwrap();
        (loaded.config.ask_user_question.max_concurrent_questions, loaded.origin(name))
    };
    assert_eq!(look(&Sources::default()), (5, Origin::Default));
    assert_eq!(look(&sources), (6, Origin::File { line: 1 }));
    let variable = "ASKUSER_MAX_CONCURRENT_QUESTIONS";
    sources.environment = Environment::of(&[(variable, "7")]);
    assert_eq!(look(&sources), (7, Origin::Variable(variable)));
    sources.flags = vec![(name.to_owned(), "8".to_owned())];
    assert_eq!(look(&sources), (8, Origin::Flag));
    // What a variable says is what the file would: each key takes its own default from each side.
    for key in KEYS {
        let default = key.show(&Config::default());
        let as_variable = default.trim_matches(['[', ']']).to_owned();
        let mut config = Config::default();
        (key.read)(&mut config, &Given::Text(&as_variable)).unwrap();
        let node = yaml::parse(&format!("v: {default}")).unwrap();
        (key.read)(&mut config, &Given::Yaml(node.get("v").unwrap())).unwrap();
        assert_eq!(config, Config::default(), "{}", key.full_name());
    }
}

/// D16: what is wrong is said with line, column and what was meant; all of it at once.
#[test]
fn d16_a_wrong_key_type_or_value_is_told_with_its_place_and_the_nearest_key() {
    let told = faults(
        "ask_user_question:\n  max_sesions_per_user: 3\n  session_timeout: soon\n  rate_limit_requests: -1\n\
         \u{20} max_input_length: 70000\n  enable_input_validation: yes\n  question_timeout: 0\nserver:\n  listen: 8275\n\
         \u{20} hosts: [\"https://a.example\"]\nask_user: {}\nsession_timeout: 3\nlog: {level: loud}\nmcp: [1]\n\
         desk:\n  timeout_policy: never\n",
    );
    let expected = [
        "line 2, column 3: `ask_user_question` has no key `max_sesions_per_user`: did you mean `max_sessions_per_user`?",
        "line 3, column 20: `ask_user_question.session_timeout` is `soon`, not a number of seconds, or a time like 90s, 5m or 2h",
        "line 4, column 24: `ask_user_question.rate_limit_requests` is -1, not a whole number",
        "line 5, column 21: `ask_user_question.max_input_length` is 70000; the maximum is 65536",
        "line 6, column 28: `ask_user_question.enable_input_validation` is `yes`, not true or false",
        "line 7, column 21: `ask_user_question.question_timeout` is 0 seconds; the minimum is 1; null for none",
        "line 9, column 11: `server.listen` is 8275, not a text",
        "line 10, column 10: `server.hosts` is `https://a.example`, not a host name, without http:// and without a path",
        "line 11, column 1: no section `ask_user`: did you mean `ask_user_question`?",
        "line 12, column 1: no section `session_timeout`: it belongs under `ask_user_question:`",
        "line 13, column 14: `log.level` is `loud`, not one of error, warn, info, debug",
        "line 14, column 6: `mcp` is a list, not a table",
        "line 16, column 19: `desk.timeout_policy` is `never`, not one of cancel, default, abort, return_cancel, \
         use_default, abort_task",
    ];
    assert_eq!(told, expected);
    assert!(faults("a: [").first().unwrap().starts_with("line "));
    assert_eq!(faults("- 1"), ["line 1, column 1: the file is a list, not a table of sections"]);
    let twice = faults("log: {level: info}\nlog: {level: warn}\n");
    assert!(twice.first().unwrap().starts_with("line 2, column 1: duplicate"), "{twice:?}");
}

#[test]
fn what_is_wrong_is_said_in_chinese_too() {
    let told = faults_in(
        "ask_user_question:\n  max_sesions_per_user: 3\n  session_timeout: soon\n  max_input_length: 70000\n\
         \u{20} question_timeout: 0\nserver:\n  listen: 8275\n  hosts: [\"https://a.example\"]\nask_user: {}\n\
         log: {level: loud}\nmcp: [1]\nnotify: {url: x, people: {ann: {channels: {c: {kind: email, server: x, from: a, to: b}}}}}\n\
         alerts: {rules: {a: {metric: error_rate, threshold: many}}}\ngroups: {ops: ann}\nsession_timeout: 3\n",
        Language::Chinese,
    );
    insta::assert_snapshot!("faults_zh", told.join("\n"));
    let sample = [Language::English, Language::Chinese]
        .map(|language| sample(language, |text, _| vec![text.to_owned()]));
    insta::assert_snapshot!("sample_en", sample[0]);
    insta::assert_snapshot!("sample_zh", sample[1]);
}

#[test]
fn what_a_flag_or_a_variable_gets_wrong_is_told_too() {
    let environment = Environment::of(&[("ASKUSER_CACHE_TTL", "a while"), ("ASKUSER_LISTEN", "here")]);
    let flags = vec![("ask_user_question.sesion_timeout".to_owned(), "1".to_owned())];
    let told = Sources { flags, environment, ..Sources::default() }.load().unwrap_err().to_string();
    assert_eq!(
        told.lines().collect::<Vec<_>>(),
        [
            "`ASKUSER_CACHE_TTL` is `a while`, not a number of seconds, or a time like 90s, 5m or 2h",
            "`ASKUSER_LISTEN` is `here`, not HOST:PORT like 127.0.0.1:8275",
            "no key `ask_user_question.sesion_timeout`: did you mean `ask_user_question.session_timeout`?",
        ]
    );
}

#[test]
fn a_named_file_must_be_there_and_no_file_may_be_written_by_others() {
    let (folder, mut sources) = file("");
    assert_eq!(sources.load().unwrap().config, Config::default());
    let path = folder.path().join(FILE);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    let told = sources.load().unwrap_err().to_string();
    assert!(told.ends_with("can be changed by others: own it, and run `chmod go-w` on it"), "{told}");
    fs::remove_file(&path).unwrap();
    assert_eq!(sources.load().unwrap().file, None);
    sources.named = Some(path.clone());
    assert!(sources.load().unwrap_err().to_string().contains("No such file"));
    sources.named = None;
    sources.environment = Environment::of(&[("ASKUSER_CONFIG", path.to_str().unwrap())]);
    assert!(sources.load().is_err());
}

/// D16: the sample has every key with its default and changes nothing; with the marks taken away it
/// sets every one of them, to the same.
#[test]
fn d16_the_sample_is_complete_and_says_the_defaults() {
    let sample = sample(Language::English, |text, _| vec![text.to_owned()]);
    let (_folder, sources) = file(&sample);
    let untouched = sources.load().unwrap();
    assert_eq!(untouched.config, Config::default());
    assert!(untouched.origins.iter().all(|from| *from == Origin::Default));
    let open = |line: &str| {
        let at = line.find('#').filter(|at| line[..*at].trim().is_empty());
        match at {
            Some(at) if !line[at + 1..].starts_with(' ') => format!("{}{}", &line[..at], &line[at + 1..]),
            _ => line.to_owned(),
        }
    };
    let opened: Vec<String> = sample.lines().map(open).collect();
    let (_folder, sources) = file(&opened.join("\n"));
    let loaded = sources.load().unwrap();
    assert!(loaded.origins.iter().all(|from| matches!(from, Origin::File { .. })), "{}", opened.join("\n"));
    for key in KEYS {
        assert_eq!(key.show(&loaded.config), key.show(&Config::default()), "{}", key.full_name());
        assert!(sample.contains(key.variable) && sample.contains(key.about(Language::English)));
    }
}

#[test]
fn no_two_keys_share_a_name_or_a_variable() {
    let mut names: Vec<String> = KEYS.iter().map(Key::full_name).collect();
    names.extend(KEYS.iter().map(|key| key.variable.to_owned()));
    names.extend(TABLES.iter().map(|table| table.name.to_owned()));
    let n_names = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), n_names);
}

#[test]
fn what_waits_for_the_next_start_is_named() {
    let old = Sources::default().load().unwrap();
    let flags =
        [("server.listen", "127.0.0.1:1"), ("ask_user_question.cache_ttl", "1"), ("desk.memory_mb", "7")];
    let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let new = Sources { flags, ..Sources::default() }.load().unwrap();
    assert_eq!(old.waits_for_start(&new), ["desk.memory_mb", "server.listen"]);
    assert!(old.waits_for_start(&old).is_empty());
}

/// A pipe as config.yaml made `serve` wait for ever for whoever would write it.
#[test]
fn a_pipe_as_the_configuration_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &file, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let refused = Sources { usual: Some(file), ..Sources::default() }.load().unwrap_err();
    assert!(refused.to_string().contains("is not a regular file"), "{refused}");
}

/// What adds a voice is the file's to say: a variable switches it off, and neither that nor a flag on.
#[test]
fn b2_the_agents_dialog_is_switched_on_by_the_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    let load = |text: &str, value: &str| {
        fs::write(&file, text).unwrap();
        let environment = Environment::of(&[("ASKUSER_AGENT_DIALOG", value)]);
        let sources = Sources { named: Some(file.clone()), environment, ..Sources::default() };
        sources.load().unwrap().config.mcp.agent_dialog
    };
    let on = "mcp: {agent_dialog: true}";
    assert!(!load("", "on") && !load("", "true"));
    assert!(load(on, "") && load(on, "on") && !load(on, "off"));
    let flags = vec![("mcp.agent_dialog".to_owned(), "true".to_owned())];
    let refused = Sources { flags, ..Sources::default() }.load().unwrap_err();
    assert!(refused.to_string().contains("only be turned on in config.yaml"), "{refused}");
}
