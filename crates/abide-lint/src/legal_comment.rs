//! The legal comment of Content Signals: the comment lines that explain the signals and reserve
//! rights under Article 4 of Directive 2019/790. Formatting and fixes leave its bytes (PREF-66).

use crate::finding::Fix;
use abide::syntax::{Content, Line};
use abide::{Robots, Span};

/// Phrases of the policy text, in lower case. A comment that names content signals and has one of
/// them is the legal comment.
const PHRASES: [&str; 5] = [
    "2019/790",
    "you agree to abide by",
    "you may collect content",
    "grants nor restricts permission",
    "reservations of rights",
];

/// The legal comments of a file.
///
/// Each extends from the first to the last comment line of a run of comment lines and empty lines:
/// the text that Cloudflare writes has empty lines between its paragraphs. So other comments in the
/// same run count as parts of it.
#[derive(Debug, Default)]
pub(crate) struct LegalComments {
    /// From the first byte of the first line to the line end of the last, in file order.
    spans: Vec<Span>,
}

impl LegalComments {
    pub(crate) fn of(robots: &Robots) -> Self {
        let text = robots.text().as_bytes();
        let mut spans = Vec::new();
        for run in robots
            .lines()
            .chunk_by(|one, next| is_bare(one) == is_bare(next))
        {
            let mut comments = run.iter().filter(|line| line.comment.is_some());
            let (Some(first), true) = (comments.next(), is_legal(run, text)) else {
                continue;
            };
            let last = comments.next_back().unwrap_or(first);
            let ending = u32::try_from(last.ending.as_bytes().len()).unwrap_or_default();
            spans.push(Span::new(
                first.span.start,
                last.span.end.saturating_add(ending),
            ));
        }
        Self { spans }
    }

    /// Whether a line is part of one of them, and whether it is the first.
    pub(crate) fn part(&self, line: &Line) -> Option<LegalPart> {
        let start = line.span.start;
        let at = self.spans.partition_point(|span| span.end <= start);
        let span = self.spans.get(at).filter(|span| span.start <= start)?;
        Some(if span.start == start {
            LegalPart::First
        } else {
            LegalPart::Other
        })
    }

    /// Whether a fix changes a byte of one of them, or inserts something into it.
    pub(crate) fn are_changed_by(&self, fix: &Fix) -> bool {
        fix.edits.iter().any(|edit| {
            let at = self
                .spans
                .partition_point(|span| span.end <= edit.span.start);
            let next = self.spans.get(at);
            next.is_some_and(|span| edit.span.end > span.start)
        })
    }
}

/// Which line of a legal comment a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LegalPart {
    First,
    Other,
}

/// Whether the line has nothing but a comment, or nothing at all.
fn is_bare(line: &Line) -> bool {
    line.content == Content::Blank
}

/// Whether the comments of a run of lines are the policy text.
fn is_legal(run: &[Line], text: &[u8]) -> bool {
    if !run.first().is_some_and(is_bare) {
        return false;
    }
    let mut words = String::new();
    for comment in run.iter().filter_map(|line| line.comment) {
        let shown = String::from_utf8_lossy(comment.of(text));
        let own = shown.split(|c: char| c.is_whitespace() || c == '#');
        for word in own.filter(|word| !word.is_empty()) {
            words.push_str(&word.to_lowercase());
            words.push(' ');
        }
    }
    let names_signals = words.contains("content signal") || words.contains("content-signal");
    names_signals && PHRASES.iter().any(|phrase| words.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Safety;

    const POLICY: &str = "# As a condition of accessing this website, you agree to  \r\n\
        # abide by the following\tcontent signals:\r\n\r\n# (a)  If a content-signal = yes, you may.\n";

    #[test]
    fn the_policy_text_is_found_over_its_line_ends() {
        let file = format!("User-agent: a\nAllow: /\n\n  {POLICY}\n\nUser-agent: *\nAllow: /\n");
        let robots = Robots::parse(&file);
        let comments = LegalComments::of(&robots);
        let [span] = comments.spans.as_slice() else {
            panic!("{comments:?}")
        };
        let found = span.of(file.as_bytes());
        assert_eq!(found, format!("  {POLICY}").as_bytes());
        let parts: Vec<_> = robots
            .lines()
            .iter()
            .map(|line| comments.part(line))
            .collect();
        let (first, other) = (Some(LegalPart::First), Some(LegalPart::Other));
        let expected = [
            None, None, None, first, other, other, other, None, None, None, None,
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn other_comments_are_not_legal() {
        for file in [
            "# Content signals of this site\nUser-agent: *\n",
            "# You may collect content from here\n",
            "User-agent: * # content signal, Directive 2019/790\n",
            "",
        ] {
            assert!(
                LegalComments::of(&Robots::parse(file)).spans.is_empty(),
                "{file}"
            );
        }
    }

    #[test]
    fn fixes_beside_it_change_nothing_of_it() {
        let file = format!("User-agent: *\n{POLICY}Allow: /\n");
        let comments = LegalComments::of(&Robots::parse(&file));
        let (start, end) = (14, 14 + u32::try_from(POLICY.len()).unwrap());
        for (from, to, changes) in [
            (start, start, false),
            (end, end, false),
            (start + 1, start + 1, true),
            (0, start, false),
            (0, start + 1, true),
            (end - 1, end, true),
            (end, end + 2, false),
            (0, end + 2, true),
        ] {
            let fix = Fix::replace(Safety::Safe, "t", Span::new(from, to), "x");
            assert_eq!(comments.are_changed_by(&fix), changes, "{from} {to}");
        }
    }
}
