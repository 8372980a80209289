//! `pattern-no-slash`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::needless::needless;
use crate::rule::{Judgement, Rule};
use abide::explain::shown;
use abide::syntax::PathPattern;
use abide::verdict::Sense;
use abide::{Code, Diagnostic, Severity, Span};
use abide_analysis::language::Language;

pub(crate) static RULE: Rule =
    Rule::engine(Code::PatternNoSlash, include_str!("pattern_no_slash.md"))
        .with_fix(fix_for)
        .judged(judge)
        .or(Severity::Info)
        .doubting_line();

fn judge(file: &File<'_>, diagnostic: &Diagnostic) -> Judgement {
    let judged = || {
        let line = file.line(diagnostic.line?)?;
        let value = diagnostic.span.of(file.text());
        let meant = [begin(value).as_bytes(), value].concat();
        if let Some(already) = file.does_already(line, &meant) {
            let message = format!("{} never matches, but {}", shown(value), needless(already));
            return Some(Judgement::note(message));
        }
        let rule = file.robots.rule(line)?;
        // What nothing disallows is allowed without a rule.
        let is_idle = rule.sense == Sense::Allow && !is_disallowed(file, line.group?, &meant)?;
        is_idle.then(|| Judgement::note(None))
    };
    judged().unwrap_or_default()
}

/// Whether a rule of the group disallows what a pattern matches. Rules for folders that may have
/// files of an ending, such as `.css`, do not count for the ending.
fn is_disallowed(file: &File<'_>, group: usize, meant: &[u8]) -> Option<bool> {
    let pattern = PathPattern::read(meant).ok()?;
    let language = Language::of(&pattern);
    let closes = |own: &PathPattern<'_>| {
        let own = Language::of(own);
        if language.is_literal() {
            own.may_meet(&language)
        } else {
            own.contains(&language)
        }
    };
    let rules = file.rules.get(group)?.iter();
    let mut disallows = rules.filter(|rule| rule.sense == Sense::Disallow);
    Some(disallows.any(|rule| rule.pattern.as_ref().is_ok_and(closes)))
}

/// What a value probably lacks at its beginning. `.css` is an ending, and not a file in the root.
fn begin(value: &[u8]) -> &'static str {
    if value.starts_with(b".") { "/*" } else { "/" }
}

/// The longest value that says too little about what begins with it to be made a pattern.
const MAX_SHORT_BYTES: usize = 3;

/// The pattern alone does not say where it begins: `private/` may mean `/private/` or any folder of
/// that name.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = diagnostic.span.of(file.text());
    let mut segments = value.split(|&byte| byte == b'/');
    let first = segments.next().unwrap_or_default();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'*');
    let is_folder = first.iter().all(is_name);
    // `www.example.com/x` names a host; quotes and similar characters do not belong in a path.
    let is_file =
        segments.next().is_none() && first.iter().all(|byte| is_name(byte) || *byte == b'.');
    let has_name = first.iter().any(u8::is_ascii_alphanumeric) || is_folder;
    // Closing `/ne` because of `ne` would close `/newsreleases` too.
    let is_short = value.len() <= MAX_SHORT_BYTES && value.iter().all(u8::is_ascii_alphanumeric);
    if is_short || first.is_empty() || !(is_folder || is_file && has_name) {
        return None;
    }
    let start = Span::new(diagnostic.span.start, diagnostic.span.start);
    let begin = begin(value);
    let title = format!("begin with \"{begin}\"");
    Some(Fix::replace(Safety::Unsafe, title, start, begin))
}
