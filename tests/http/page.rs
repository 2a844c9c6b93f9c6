//! The page without a browser and without its script: what a form sends and what comes back.

use serde_json::{Value, json};

use crate::stage::{Reply, Stage, ask, id, stage};

pub(crate) struct Person<'a> {
    pub(crate) stage: &'a Stage,
    pub(crate) cookie: String,
    pub(crate) own: String,
}

impl<'a> Person<'a> {
    pub(crate) async fn at(stage: &'a Stage) -> Self {
        Self { stage, cookie: stage.sign_in().await, own: stage.origin() }
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.stage.send("GET", path, &[("cookie", &self.cookie)], "").await
    }

    pub(crate) async fn send(&self, path: &str, form: &str) -> Reply {
        self.send_as("text/html", path, form).await
    }

    async fn script(&self, path: &str, form: &str) -> Reply {
        self.send_as("application/json", path, form).await
    }

    async fn send_as(&self, accept: &str, path: &str, form: &str) -> Reply {
        let headers = [("cookie", self.cookie.as_str()), ("origin", &self.own), ("accept", accept)];
        self.stage.send("POST", path, &headers, form.to_owned()).await
    }
}

fn every_kind() -> Value {
    ask(
        "s",
        &[
            json!({"question_id": "auth", "header": "Auth", "question": "Which?", "type": "multiple_choice", "options": [
            {"id": "oauth", "label": "OAuth"}, {"id": "jwt", "label": "JWT"}],
            "follow_up_questions": {"oauth": [{"question_id": "who", "question": "Who?", "type": "checkbox",
                "options": [{"id": "gh", "label": "GitHub"}, {"id": "gg", "label": "Google"}]}]}}),
            json!({"question_id": "sure", "question": "Sure?", "type": "boolean"}),
            json!({"question_id": "name", "question": "Name?", "type": "text", "required": false}),
        ],
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn d2_p7_a_form_answers_every_kind_with_its_follow_ups_and_no_script() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let asked = stage.ask(every_kind()).await;
    let path = format!("/asks/{}", id(&asked));
    let page = person.get(&path).await;
    assert_eq!(page.status, 200);
    for part in
        ["pick:auth", "pick:who", "own:who", "other:auth", "pick:sure", "text:name", "1 of 3", "Round 1"]
    {
        assert!(page.text.contains(part), "{part}");
    }
    assert!(!page.text.contains(" checked"), "nothing is picked for the person");
    let form = "pick:auth=oauth&pick:who=gg&own:who=on&other:who=Own+%3Cb%3E&pick:sure=no&text:name=O'Brien+%26+Co&note:sure=why&do=answer";
    let sent = person.send(&format!("{path}/answer"), form).await;
    assert_eq!((sent.status, sent.header("location")), (303, Some(path.as_str())));
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    let outcome = &told["outcome"];
    assert_eq!((&outcome["by"]["channel"], &outcome["by"]["proof"]), (&json!("web"), &json!("cookie")));
    let answers = outcome["answers"].as_array().unwrap();
    assert_eq!(answers[1]["selected"][0]["id"], "gg");
    assert_eq!((&answers[1]["text"], &answers[3]["text"]), (&json!("Own <b>"), &json!("O'Brien & Co")));
    assert_eq!(answers[2]["note"], "why");
    let closed = person.get(&path).await.text;
    assert!(closed.contains("You answered in the browser") && closed.contains("Own &lt;b&gt;"), "{closed}");
    let again = person.script(&format!("{path}/answer"), form).await;
    assert_eq!(
        (again.status, again.json()),
        (200, json!({"ok": true})),
        "the reply was lost, not the answer"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn d2_defaults_are_picked_and_said_to_be_the_askers() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let question = json!({"question_id": "q", "question": "Q?", "type": "multiple_choice", "options": [
        {"id": "a", "label": "A", "default": true}, {"id": "b", "label": "B"}]});
    let path = format!("/asks/{}", id(&stage.ask(ask("s", &[question])).await));
    let page = person.get(&path).await.text;
    assert_eq!(page.matches(" checked").count(), 1);
    assert!(page.contains("Suggested by the agent"), "{page}");
    assert_eq!(person.script(&format!("{path}/sheet"), "pick:q=b").await.status, 204);
    assert!(!person.get(&path).await.text.contains("Suggested by the agent"), "now it is the person's own");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_is_said_at_its_question_and_nothing_typed_is_lost() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let path = format!("/asks/{}", id(&stage.ask(every_kind()).await));
    let sent = person.send(&format!("{path}/answer"), "pick:auth=oauth&text:name=kept+text").await;
    assert_eq!(sent.status, 422);
    assert!(sent.text.contains("This needs an answer.") && sent.text.contains("kept text"), "{}", sent.text);
    assert_eq!(sent.text.matches(" checked").count(), 1);
    let told = person.script(&format!("{path}/answer"), "pick:auth=nonsense").await;
    assert_eq!(told.status, 422);
    let faults = told.json()["faults"].clone();
    assert!(faults.as_array().unwrap().iter().any(|fault| fault["question_id"] == "auth"), "{faults}");
}

#[tokio::test(flavor = "multi_thread")]
async fn o2_whoever_is_too_late_is_told_by_whom_and_keeps_their_text() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let asked = stage.ask(every_kind()).await;
    let path = format!("/asks/{}", id(&asked));
    let answers = json!({"answers": {"auth": "jwt", "sure": true}});
    stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, answers).await.ok();
    let form = "pick:auth=jwt&pick:sure=yes&text:name=my+long+text";
    let late = person.send(&format!("{path}/answer"), form).await;
    assert_eq!(late.status, 409);
    assert!(late.text.contains("with a command") && late.text.contains("my long text"), "{}", late.text);
    let told = person.script(&format!("{path}/answer"), form).await;
    assert_eq!(told.status, 409);
    assert!(told.json()["closed"].as_str().unwrap().contains("You answered"), "{}", told.text);
    assert_eq!(person.script(&format!("{path}/sheet"), form).await.status, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn p12_a_person_declines_with_a_reason_and_takes_it_up_again() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let asked = stage.ask(every_kind()).await;
    let path = format!("/asks/{}", id(&asked));
    person.script(&format!("{path}/sheet"), "pick:auth=jwt&text:name=half").await;
    assert_eq!(person.send(&format!("{path}/cancel"), "reason=not+now").await.status, 303);
    let closed = person.get(&path).await.text;
    assert!(closed.contains("You declined in the browser") && closed.contains("not now"), "{closed}");
    let anew = person.send(&format!("{path}/reopen"), "").await;
    assert_eq!(anew.status, 303);
    let again = person.get(anew.header("location").unwrap()).await.text;
    assert!(again.contains("half") && again.contains("data-open=\"true\""), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn p15_one_answer_for_several_alike_asks() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let question = |id: &str| json!({"question_id": id, "question": "Go?", "type": "boolean"});
    let first = stage.ask(ask("s1", &[question("a")])).await;
    let second = stage.ask(ask("s2", &[question("b")])).await;
    let third = stage.ask(ask("s3", &[question("c")])).await;
    let path = format!("/asks/{}", id(&first));
    let page = person.get(&path).await.text;
    assert_eq!(page.matches("name=\"also\"").count(), 2);
    let form = format!("pick:a=yes&also={}&also=nonsense", id(&second));
    assert_eq!(person.send(&format!("{path}/answer"), &form).await.status, 303);
    for (ask, status) in [(&first, "answered"), (&second, "answered"), (&third, "showing")] {
        assert_eq!(
            stage.get(&format!("/api/asks/{}", id(ask)), &stage.ann.person).await.ok()["status"],
            status
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inbox_lists_what_waits_and_answers_small_asks_at_once() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    assert!(person.get("/").await.text.contains("You're all caught up."));
    let asked =
        stage.ask(ask("s", &[json!({"question_id": "q", "question": "Go on?", "type": "boolean"})])).await;
    let list = person.get("/?part=inbox").await.text;
    assert!(
        list.starts_with("<ol id=\"asks\" data-count=\"1\"") && list.contains("name=\"pick:q\""),
        "{list}"
    );
    let sent = person.send(&format!("/asks/{}/answer", id(&asked)), "pick:q=yes&from=inbox").await;
    assert_eq!((sent.status, sent.header("location")), (303, Some("/")));
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_out_means_out_and_another_users_ask_is_not_there() {
    let stage = stage().await;
    let asked = stage.ask(every_kind()).await;
    let path = format!("/asks/{}", id(&asked));
    for path in ["/", path.as_str(), "/preferences"] {
        let page = stage.send("GET", path, &[], "").await;
        assert!(page.status == 401 && page.text.contains("askuser open") && !page.text.contains("Which?"));
    }
    let own = stage.origin();
    let wrong = stage.send("POST", "/sign-in", &[("origin", &own)], "key=guess").await;
    assert_eq!(wrong.status, 401);
    let agent = format!("key={}", stage.ann.agent);
    assert_eq!(
        stage.send("POST", "/sign-in", &[("origin", &own)], agent).await.status,
        401,
        "an agent is nobody here"
    );
    let bob = format!("key={}", stage.bob.person);
    let signed_in = stage.send("POST", "/sign-in", &[("origin", &own)], bob).await;
    let cookie = signed_in.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(stage.send("GET", "/", &[("cookie", &cookie)], "").await.status, 200);
    assert_eq!(stage.send("GET", &path, &[("cookie", &cookie)], "").await.status, 404);
    let headers = [("cookie", cookie.as_str()), ("origin", &own)];
    let out = stage.send("POST", "/sign-out", &headers, "").await;
    assert!(out.header("clear-site-data").unwrap().contains("storage"));
    assert_eq!(stage.send("GET", "/", &[("cookie", &cookie)], "").await.status, 401);
    // A browser that missed that reply loses its dead cookie where it is sent next; others are set none.
    let again = stage.send("GET", "/sign-in", &[("cookie", &cookie)], "").await;
    assert!(again.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(stage.send("GET", "/sign-in", &[], "").await.header("set-cookie"), None);
    let agent = format!("Bearer {}", stage.ann.agent);
    assert_eq!(stage.send("GET", "/", &[("authorization", &agent)], "").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_our_own_page_may_send_a_form() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let path = format!("/asks/{}/answer", id(&stage.ask(every_kind()).await));
    for origin in ["http://evil.example", "null"] {
        let headers = [("cookie", person.cookie.as_str()), ("origin", origin)];
        assert_eq!(stage.send("POST", &path, &headers, "pick:auth=jwt&pick:sure=yes").await.status, 403);
    }
    assert_eq!(stage.send("POST", &path, &[("cookie", &person.cookie)], "pick:auth=jwt").await.status, 403);
    assert_eq!(person.send("/nowhere", "").await.status, 404);
    assert_eq!(person.get("/api/nowhere").await.code(), "404 not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn d10_every_page_is_strict_about_scripts_and_shows_texts_as_typed() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let hostile = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>";
    let question = json!({"question_id": "q\"><script>", "header": "<b>h</b>", "question": hostile, "description": hostile,
        "type": "multiple_choice", "options": [{"id": "a\"'><script>", "label": hostile, "description": hostile,
            "preview": hostile}, {"id": "b", "label": "B"}]});
    let mut body = ask("s", &[question]);
    body["asker"] = json!({"agent": hostile, "project": hostile, "folder": hostile});
    body["context"] = json!(hostile);
    let asked = stage.ask(body).await;
    let path = format!("/asks/{}", id(&asked));
    for path in ["/", path.as_str(), "/preferences", "/sign-in", "/sessions"] {
        let page = person.get(path).await;
        assert!(
            !page.text.contains("<script>") && !page.text.contains("<img src=x"),
            "{path}: {}",
            page.text
        );
        let policy = page.header("content-security-policy").unwrap_or_default();
        assert!(
            path == "/sign-in" || (policy.contains("script-src 'self'") && !policy.contains("unsafe")),
            "{path}"
        );
    }
    assert!(person.get(&path).await.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[tokio::test(flavor = "multi_thread")]
async fn d19_preferences_and_language_are_kept_and_two_people_see_each_other() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let kept = person.send("/preferences", "theme=dark&language=zh&density=compact&name=Ann").await;
    let look = kept.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let both = format!("{}; {look}", person.cookie);
    let page = stage.send("GET", "/", &[("cookie", &both)], "").await.text;
    for part in
        ["data-theme=\"dark\"", "data-density=\"compact\"", "lang=\"zh-CN\"", "收件箱", "data-name=\"Ann\""]
    {
        assert!(page.contains(part), "{part}");
    }
    let path = format!("/asks/{}/present", id(&stage.ask(every_kind()).await));
    assert_eq!(person.script(&path, "tab=1&name=Ann").await.json(), json!({"others": []}));
    let others = person.script(&path, "tab=2&name=Bob&typing=1").await.json();
    assert_eq!(others, json!({"others": [{"name": "Ann", "typing": false}]}));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_kept_for_ever_under_the_address_of_their_version() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let page = person.get("/").await.text;
    let from = page.find("/assets/").unwrap();
    let path = page[from..].split('"').next().unwrap();
    let file = stage.send("GET", path, &[], "").await;
    assert!(file.status == 200 && file.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(stage.send("GET", "/assets/x/nothing.js", &[], "").await.status, 404);
    for path in ["/sw.js", "/manifest.webmanifest", "/icon.svg"] {
        assert_eq!(stage.send("GET", path, &[], "").await.status, 200, "{path}");
    }
    assert_eq!(page.matches("http").count(), page.matches("http-equiv").count(), "nothing of another host");
}
