//! Comments for the linter: `# abide: ignore CODE, CODE` and `# abide: ignore-file CODE`.

use crate::rule::Finding;
use crate::rule::Findings;
use crate::rules::{self, UnknownCodeError};
use abide::Robots;
use abide::Span;
use abide::syntax::Line;
use std::cell::Cell;
use std::collections::BTreeMap;

/// One code that a comment names.
#[derive(Debug)]
struct Order {
    /// The line of the comment, and the bytes of the code.
    line: u32,
    span: Span,
    code: String,
    /// The line whose findings are suppressed; `None` for the whole file.
    about: Option<u32>,
    /// Whether it suppressed a finding.
    is_used: Cell<bool>,
}

/// The suppressions in the comments of a file.
#[derive(Debug)]
pub(crate) struct Suppressions(Vec<Order>);

impl Suppressions {
    pub(crate) fn read(robots: &Robots) -> Self {
        let lines = robots.lines();
        let text = robots.text().as_bytes();
        let mut orders = Vec::new();
        let mut next = None;
        for line in lines.iter().rev() {
            if !is_bare(line) {
                next = Some(line.number);
            }
            let Some(comment) = line.comment else {
                continue;
            };
            for (span, code, is_for_file) in codes(comment, text) {
                let about = (!is_for_file).then(|| next.unwrap_or(line.number));
                orders.push(Order {
                    line: line.number,
                    span,
                    code,
                    about,
                    is_used: Cell::new(false),
                });
            }
        }
        Self(orders)
    }

    /// The findings that are not suppressed.
    pub(crate) fn left_of(&self, mut findings: Vec<Finding>) -> Vec<Finding> {
        let mut orders: BTreeMap<(Option<u32>, &str), Vec<&Order>> = BTreeMap::new();
        for order in &self.0 {
            let about = (order.about, order.code.as_str());
            orders.entry(about).or_default().push(order);
        }
        findings.retain(|finding| {
            let of = |line| orders.get(&(line, finding.rule.code()));
            let about: Vec<_> = [
                of(None),
                of(finding.line).filter(|_| finding.line.is_some()),
            ]
            .into_iter()
            .flatten()
            .collect();
            for order in about.iter().copied().flatten() {
                order.is_used.set(true);
            }
            about.is_empty()
        });
        findings
    }

    /// Finds the codes without effect.
    pub(crate) fn check(&self, found: &mut Findings) {
        for order in self.0.iter().filter(|order| !order.is_used.get()) {
            let message = match rules::of(&order.code) {
                Some(_) => format!("nothing is found here that {} would be about", order.code),
                None => UnknownCodeError::of(&order.code).to_string(),
            };
            found.say(Some(order.line), order.span, message);
        }
    }
}

/// Whether the line has nothing but a comment, or nothing at all.
fn is_bare(line: &Line) -> bool {
    line.content == abide::syntax::Content::Blank
}

/// The codes of a comment for the linter, with their places, and whether they are about the whole
/// file.
fn codes(comment: Span, text: &[u8]) -> Vec<(Span, String, bool)> {
    let bytes = comment.of(text);
    let Ok(words) = std::str::from_utf8(bytes) else {
        return Vec::new();
    };
    let order = words.trim_start_matches('#').trim_start();
    let Some(order) = order.strip_prefix("abide:").map(str::trim_start) else {
        return Vec::new();
    };
    let (list, is_for_file) = match order.strip_prefix("ignore-file ") {
        Some(list) => (list, true),
        None => match order.strip_prefix("ignore ") {
            Some(list) => (list, false),
            None => return Vec::new(),
        },
    };
    let mut at = comment.end as usize - list.len();
    let mut found = Vec::new();
    for piece in list.split([',', ' ', '\t']) {
        if let (false, Ok(start), Ok(end)) = (
            piece.is_empty(),
            u32::try_from(at),
            u32::try_from(at + piece.len()),
        ) {
            found.push((Span::new(start, end), piece.to_owned(), is_for_file));
        }
        at += piece.len() + 1;
    }
    found
}
