//! What Markdown may do, and what it may not.

use super::*;

fn drawn(text: &str) -> String {
    draw(text).into_string().trim().to_owned()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(drawn(text), expected, "{text}");
}

const LINK: &str = "rel=\"noopener noreferrer\" target=\"_blank\">";

#[test]
fn text_is_drawn_as_an_agent_means_it() {
    check(
        "one **two** _three_ ~~four~~ `five`",
        "<p>one <strong>two</strong> <em>three</em> <del>four</del> <code>five</code></p>",
    );
    check("# Head", "<h4>Head</h4>");
    check(
        "- [x] done\n- [ ] open",
        "<ul>\n<li><input disabled=\"\" type=\"checkbox\" checked=\"\"/>\ndone</li>\n<li><input disabled=\"\" type=\"checkbox\"/>\nopen</li>\n</ul>",
    );
    check("```rust\na < b\n```", "<pre tabindex=\"0\"><code class=\"language-rust\">a &lt; b\n</code></pre>");
    assert!(drawn("| a | b |\n|---|---|\n| 1 | 2 |").starts_with("<table><thead><tr><th>a</th>"));
    check("第一行\n第二行", "<p>第一行\n第二行</p>");
}

#[test]
fn links_lead_to_the_web_and_to_mail_and_away_from_here() {
    check(
        "[a](https://b.example/?c&d)",
        &format!(
            "<p><a href=\"https://b.example/?c&amp;d\" {LINK}a</a> <span class=\"target\">(https://b.example/?c&amp;d)</span></p>"
        ),
    );
    check(
        "<https://b.example>",
        &format!("<p><a href=\"https://b.example\" {LINK}https://b.example</a></p>"),
    );
    check(
        "[a](MAILTO:b@c.example)",
        &format!(
            "<p><a href=\"MAILTO:b@c.example\" {LINK}a</a> <span class=\"target\">(MAILTO:b@c.example)</span></p>"
        ),
    );
    check("[a](/sign-out)", "<p>a</p>");
    check("[a](//b.example)", "<p>a</p>");
    check(
        "[a][r]\n\n[r]: http://b.example",
        &format!(
            "<p><a href=\"http://b.example\" {LINK}a</a> <span class=\"target\">(http://b.example)</span></p>"
        ),
    );
}

/// B1: a link in a question led to a server of the agent's own on this machine, by one click.
#[test]
fn a_link_to_this_machine_is_text_with_its_address() {
    check(
        "Have a look at [the preview](http://askuser.localhost:38573/) first.",
        "<p>Have a look at the preview <span class=\"target\">(http://askuser.localhost:38573/)</span> first.</p>",
    );
    check("<http://127.0.0.1:3000>", "<p>http://127.0.0.1:3000</p>");
    check("![a](http://[::1]/x)", "<p>🖼 a <span class=\"target\">(http://[::1]/x)</span></p>");
    for address in [
        "http://2130706433",
        "HTTP://0x7f.1",
        "http:127.0.0.1",
        "https:\\\\localhost",
        "http://a@127.1",
        "http://１２７.0.0.1",
    ] {
        assert!(!drawn(&format!("[a]({address})")).contains("href"), "{address}");
        assert!(!drawn(&format!("<{address}>")).contains("href"), "{address}");
    }
}

#[test]
fn a_link_says_where_it_leads_whatever_it_reads() {
    let drawn = drawn("[https://good.example](https://evil.example/x)");
    assert!(drawn.contains("(https://evil.example/x)"), "{drawn}");
    let long = format!("https://evil.example/{}", "x".repeat(300));
    let shown = draw(&format!("[a]({long})")).into_string();
    assert!(shown.contains("x…)</span>"), "{shown}");
}

#[test]
fn a_picture_is_a_link_and_nothing_is_fetched() {
    check(
        "![a](https://b.example/c.png)",
        &format!(
            "<p><a href=\"https://b.example/c.png\" {LINK}🖼 a</a> <span class=\"target\">(https://b.example/c.png)</span></p>"
        ),
    );
    check("![a](data:image/png;base64,AA \"t\")", "<p>🖼 t a</p>");
    check(
        "[![a](https://b.example/1)](https://b.example/2)",
        &format!(
            "<p><a href=\"https://b.example/2\" {LINK}🖼 a</a> <span class=\"target\">(https://b.example/2)</span></p>"
        ),
    );
}

/// Texts that have run scripts elsewhere. Every tag that comes out is one that Markdown makes.
const HOSTILE: [&str; 44] = [
    "<script>alert(1)</script>",
    "a <script>alert(1)</script> b",
    "<ScRiPt src=//x.example/a.js></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "a <img src=x onerror=alert(1)> b",
    "<svg/onload=alert(1)>",
    "<svg><animate onbegin=alert(1) attributeName=x></svg>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)>",
    "<embed src=javascript:alert(1)>",
    "<form action=/sign-out method=post><button>go</button></form>",
    "<input autofocus onfocus=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<base href=//x.example>",
    "<meta http-equiv=refresh content='0;url=//x.example'>",
    "<link rel=stylesheet href=//x.example/a.css>",
    "<style>body{display:none}</style>",
    "<details open ontoggle=alert(1)>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!-- a --> <b>x</b>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php echo 1 ?>",
    "<textarea></textarea><script>alert(1)</script>",
    "<plaintext>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java\nscript:alert(1))",
    "[a](java&#10;script:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](javascript&colon;alert(1))",
    "[a](<javascript:alert(1)>)",
    "[a]( javascript:alert(1))",
    "[a](\u{1}javascript:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    "[a](vbscript:msgbox(1))",
    "[a](file:///etc/passwd)",
    "[a](https://x.example/\"onmouseover=\"alert(1))",
    "[a](https://x.example/'onmouseover='alert(1) \"><script>alert(1)</script>\")",
    "[<img src=x onerror=alert(1)>](https://x.example)",
    "![<script>](https://x.example/a.png \"\\\"><script>alert(1)</script>\")",
    "```\"><script>alert(1)</script>\nx\n```",
    "[r]: javascript:alert(1)\n\n[r] ![r] <javascript:alert(1)>",
];

const TAGS: [&str; 31] = [
    "a",
    "span",
    "p",
    "h4",
    "h5",
    "h6",
    "em",
    "strong",
    "del",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "blockquote",
    "hr",
    "br",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "input",
    "div",
    "/a",
    "/p",
    "/code",
    "/pre",
    "/li",
    "/ul",
];

/// Every tag is made of us, its attributes too; an address leads to the web.
#[track_caller]
fn assert_tame(text: &str) {
    let html = draw(text).into_string();
    for part in html.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("an open tag in {html}"));
        let mut words = tag.split_whitespace();
        let name = words.next().unwrap_or_default().trim_end_matches('/');
        assert!(TAGS.contains(&name) || TAGS.contains(&name.trim_start_matches('/')), "{name} in {html}");
        for attribute in words.filter(|word| *word != "/") {
            let (key, value) = attribute.split_once('=').unwrap_or((attribute, ""));
            let known = [
                "href",
                "rel",
                "target",
                "class",
                "disabled",
                "type",
                "checked",
                "start",
                "tabindex",
                "noreferrer\"",
            ];
            assert!(known.contains(&key), "{key} in {html}");
            let leads = ["\"http:", "\"https:", "\"mailto:"];
            assert!(
                key != "href" || leads.iter().any(|begins| value.to_lowercase().starts_with(begins)),
                "{html}"
            );
        }
    }
}

#[test]
fn nothing_that_was_written_acts() {
    for text in HOSTILE {
        assert_tame(text);
        for around in
            ["> {}", "- {}", "**{}**", "| {} |\n|---|\n| {} |", "`a` {} `b`", "# {}", "x\n{}\ny", "[^1]: {}"]
        {
            assert_tame(&around.replace("{}", text));
        }
    }
}

#[test]
fn what_was_written_as_html_is_seen() {
    for text in HOSTILE.iter().take(26) {
        let html = draw(text).into_string().replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        let first: String = text.chars().skip_while(|letter| *letter != '<').take(6).collect();
        assert!(html.contains(&first), "{first} is not seen in {html}");
    }
}

#[test]
fn d10_what_would_act_in_a_text_is_a_symbol() {
    check("a\u{202e}b\u{1b}[31m", "<p>a\u{fffd}b␛[31m</p>");
}

#[test]
fn what_is_too_large_or_too_deep_is_shown_as_it_was_written() {
    let row = format!("{}\n{}\n", "|a".repeat(2000), "|-".repeat(2000));
    let wide = format!("{row}{}", "|x\n".repeat(2000));
    let inputs = [
        ">".repeat(5000),
        "- ".repeat(5000),
        wide,
        "x".repeat(BYTES_MAX + 1),
        "[".repeat(50_000),
        "*a ".repeat(30_000),
    ];
    for text in inputs {
        let html = draw(&text).into_string();
        assert!(html.len() < 3 * BYTES_MAX, "{} bytes", html.len());
    }
    check(&">".repeat(100), &format!("<pre>{}</pre>", "&gt;".repeat(100)));
}
