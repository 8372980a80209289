//! Compares lines and fields with a split byte by byte.

use abide::Profile;
use abide::syntax::{Content, FieldKind, Fields};
use abide::syntax::{Lines, Separator, Text};
use abide::{Limits, Span};
use proptest::prelude::*;

fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

/// The content of a line without its comment, and the text before and after its first colon.
fn by_hand(line: &str) -> (&str, Option<(&str, &str)>) {
    let content = trimmed(line.split('#').next().unwrap_or_default());
    let parts = content.split_once(':');
    (
        content,
        parts.map(|(key, value)| (trimmed(key), trimmed(value))),
    )
}

fn is_acap(key: &str) -> bool {
    key.get(..5)
        .is_some_and(|head| head.eq_ignore_ascii_case("acap-"))
}

proptest! {
    #[test]
    fn fields_are_what_stands_round_the_first_colon(
        bytes in "([ \t]{0,20}(<p|User-agent|disallow|ALLOW|sitemap|acap-x|x|user)?[ :#x\t]{0,12}(\r|\n|\r\n)){0,40}"
    ) {
        let text = Text::new(bytes.as_bytes(), Limits::default());
        for line in Fields::new(&text, Profile::Careful) {
            let of = |span: Span| &bytes[span.start as usize..span.end as usize];
            let (content, parts) = by_hand(of(line.raw.span));
            match line.content {
                Content::Blank => prop_assert!(content.is_empty()),
                Content::Unreadable => prop_assert!(parts.is_none_or(|(key, _)| key.is_empty())),
                Content::Field(field) if field.separator == Separator::Colon => {
                    prop_assert_eq!(Some((of(field.key), of(field.value))), parts);
                    if let Some(name) = field.kind.name() {
                        prop_assert!(name.eq_ignore_ascii_case(of(field.key)));
                    } else {
                        prop_assert_eq!(field.kind == FieldKind::Acap, is_acap(content));
                    }
                }
                Content::Field(_) => prop_assert!(parts.is_none()),
            }
        }
    }

    #[test]
    fn lines_end_at_the_first_line_end(
        bytes in "[a#\r\n]{0,500}|[a]{0,200}(\r\n[a#]{0,70}){0,9}"
    ) {
        let bytes = bytes.as_bytes();
        let mut at = 0;
        for line in Lines::new(bytes, 0) {
            let rest = &bytes[at..];
            let len = rest.iter().position(|byte| b"\r\n".contains(byte)).unwrap_or(rest.len());
            let (text, behind) = rest.split_at(len);
            prop_assert_eq!(line.span.start as usize, at);
            prop_assert_eq!(line.span.of(bytes), text);
            let hash = text.iter().position(|&byte| byte == b'#').unwrap_or(len);
            prop_assert_eq!(line.hash as usize, at + hash);
            prop_assert!(behind.starts_with(line.ending.as_bytes()));
            prop_assert_eq!(behind.starts_with(b"\r\n"), line.ending.as_bytes() == b"\r\n");
            at += len + line.ending.as_bytes().len();
        }
        prop_assert_eq!(at, bytes.len());
    }

    /// A pass over all lines at once yields the same lines as going from one to the next, from any
    /// start.
    #[test]
    fn lines_at_once_are_lines_one_by_one(bytes in "[a#\r\n]{0,400}", taken in 0..300_usize) {
        let bytes = bytes.as_bytes();
        let mut one_by_one = Vec::new();
        let mut lines = Lines::new(bytes, 0);
        for line in lines.by_ref() {
            one_by_one.push(line);
        }
        prop_assert_eq!(lines.next(), None);
        let mut lines = Lines::new(bytes, 0);
        let mut at_once: Vec<_> = lines.by_ref().take(taken).collect();
        lines.for_each(|line| at_once.push(line));
        prop_assert_eq!(at_once, one_by_one);
    }
}
