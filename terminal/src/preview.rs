//! A longer look at a choice that is written in HTML, as text.
//!
//! The tags are left out and the words kept: a terminal shows no pages, and a tag that is not one
//! stays as it was written.

/// Tags that end a line.
const BLOCKS: [&str; 14] =
    ["p", "div", "br", "li", "ul", "ol", "tr", "table", "pre", "h1", "h2", "h3", "h4", "section"];
const ENTITIES: [(&str, &str); 6] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&nbsp;", " "),
    // Last, so that nothing is decoded twice.
    ("&amp;", "&"),
];

/// Returns what is read of a page.
pub fn html_text(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        text.push_str(before);
        let Some(end) = tag.find('>').filter(|_| is_tag(tag)) else {
            text.push('<');
            rest = tag.strip_prefix('<').unwrap_or_default();
            continue;
        };
        let (tag, after) = tag.split_at(end + 1);
        if BLOCKS.contains(&name(tag).as_str()) && !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        rest = after;
    }
    text.push_str(rest);
    for (entity, letter) in ENTITIES {
        text = text.replace(entity, letter);
    }
    text.trim_end().to_owned()
}

fn is_tag(text: &str) -> bool {
    let mut letters = text.chars().skip(1);
    match letters.next() {
        Some('/') => letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()),
        Some(letter) => letter.is_ascii_alphabetic() || letter == '!',
        None => false,
    }
}

fn name(tag: &str) -> String {
    tag.trim_start_matches(['<', '/'])
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_keeps_its_words_and_loses_its_tags() {
        let check = |html: &str, expected: &str| assert_eq!(html_text(html), expected);
        check("<p>One <b>two</b></p><p>Three</p>", "One two\nThree");
        check("a &lt; b &amp;lt; c", "a < b &lt; c");
        check("if x < 3 && y > 4", "if x < 3 && y > 4");
        check("Vec<", "Vec<");
        check("<div\nclass=\"x\">in</div>", "in");
    }
}
