//! `mixed-line-ends`: several kinds of line ends.

use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::legal_comment::LegalComments;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;
use abide::syntax::LineEnding;

pub(crate) static RULE: Rule = Rule::new(
    "mixed-line-ends",
    Severity::Info,
    include_str!("mixed_line_ends.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    // The legal comment of Content Signals keeps its line ends, so they are no mistake.
    let legal = LegalComments::of(file.robots);
    let lines = || {
        let all = file.robots.lines().iter();
        all.filter(|line| legal.part(line).is_none())
    };
    let of = |ending: LineEnding| lines().filter(|line| line.ending == ending).count();
    let (lf, cr, crlf) = (of(LineEnding::Lf), of(LineEnding::Cr), of(LineEnding::CrLf));
    if usize::from(lf > 0) + usize::from(cr > 0) + usize::from(crlf > 0) < 2 {
        return;
    }
    let others = lines().filter(|line| matches!(line.ending, LineEnding::Cr | LineEnding::CrLf));
    let edits = others.map(|line| Edit {
        span: Span::new(line.span.end, File::whole(line).end),
        replacement: b"\n".to_vec(),
    });
    let fix = Fix {
        safety: Safety::Safe,
        title: "end every line with LF".into(),
        edits: edits.collect(),
    };
    let lines = if lf == 1 { "line ends" } else { "lines end" };
    let message = format!("{lf} {lines} with LF, {crlf} with CR LF, {cr} with CR alone");
    found.say(None, Span::default(), message).fix(fix);
}
