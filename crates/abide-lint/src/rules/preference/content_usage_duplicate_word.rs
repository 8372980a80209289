//! `content-usage-duplicate-word`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::Fix;
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageDuplicateWord,
    include_str!("content_usage_duplicate_word.md"),
)
.with_fix(fix_for);

/// Keeps the word once, at its first place, with the stricter value.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let at = file.preference_of(diagnostic)?;
    let (statement, word) = (at.stated.statement, diagnostic.span.of(file.text()));
    if statement.contains(&b'"') {
        return None;
    }
    let key = |member: &[u8]| {
        let key = member.split(|byte| matches!(byte, b'=' | b';')).next();
        key.unwrap_or_default().trim_ascii().to_vec()
    };
    let members: Vec<_> = statement.split(|byte| *byte == b',').collect();
    let own = members.iter().filter(|member| key(member) == word);
    let stricter = own
        .clone()
        .find(|member| member.trim_ascii().ends_with(b"=n"));
    let kept = *stricter.or(own.clone().next_back())?;
    let mut is_kept = false;
    let mut left: Vec<&[u8]> = Vec::new();
    for &member in &members {
        if key(member) != word {
            left.push(member);
        } else if !std::mem::replace(&mut is_kept, true) {
            left.push(kept);
        }
    }
    let left: Vec<_> = left.iter().map(|member| member.trim_ascii()).collect();
    at.rewritten("keep the stricter value", left.join(&b", "[..]))
}
