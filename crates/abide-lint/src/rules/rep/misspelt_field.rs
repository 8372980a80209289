//! `misspelt-field`: almost a known key. Robots ignore the line, or forgive the spelling.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule};
use abide::syntax::FieldKind;
use abide::{Code, Diagnostic, Severity, Span};
use abide_analysis::spelling;

pub(crate) static RULE: Rule = Rule::engine(Code::Typo, include_str!("misspelt_field.md"))
    .named("misspelt-field")
    .with_fix(fix_for)
    .with_check(check)
    .instead_of(&["unknown-field"])
    .doubting_line()
    .or(Severity::Error);

/// The known fields.
const KINDS: [FieldKind; 7] = [
    FieldKind::UserAgent,
    FieldKind::UserAgentPurpose,
    FieldKind::Allow,
    FieldKind::Disallow,
    FieldKind::AppDirectives,
    FieldKind::Sitemap,
    FieldKind::CrawlDelay,
];

/// The fix of a spelling that robots forgive.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = file.line(diagnostic.line?)?.field()?;
    let key = field.kind.name()?;
    let title = format!("write {key}");
    Some(Fix::replace(Safety::Safe, title, field.key, key))
}

/// Reports spellings that robots do not forgive.
fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field, value) in file.fields_of(FieldKind::Other) {
        if is_sitemap_alone(field.key.of(file.text()), value) {
            let message = "robots ignore a URL alone on its line; write \"Sitemap: \" before it";
            let start = Span::new(field.key.start, field.key.start);
            let fix = Fix::replace(Safety::Unsafe, "write Sitemap", start, "Sitemap: ");
            found.say(Some(line.number), field.key, message).fix(fix);
            continue;
        }
        let Some(meant) = meant_by(file.text(), field.key) else {
            continue;
        };
        let message = format!("robots ignore this line; did you mean {meant}?");
        let fix = Fix::replace(Safety::Unsafe, format!("write {meant}"), field.key, meant);
        let place = found.say(Some(line.number), field.key, message);
        place.severity(Severity::Error).fix(fix);
    }
}

/// Whether a line is the URL of a sitemap, without a key.
fn is_sitemap_alone(key: &[u8], value: &[u8]) -> bool {
    let is_scheme = key.eq_ignore_ascii_case(b"http") || key.eq_ignore_ascii_case(b"https");
    let value = value.to_ascii_lowercase();
    let is_map = memchr::memmem::find(&value, b"sitemap").is_some()
        || value.ends_with(b".xml")
        || value.ends_with(b".xml.gz");
    is_scheme && value.starts_with(b"//") && is_map
}

/// The known key that an unknown one is probably a misspelling of.
pub(super) fn meant_by(text: &[u8], key: Span) -> Option<&'static str> {
    const MIN_KEY_BYTES: usize = 4;
    let key = std::str::from_utf8(key.of(text)).ok()?;
    let is_elsewhere = super::unknown_field::is_elsewhere(key);
    if key.len() < MIN_KEY_BYTES || is_elsewhere {
        return None;
    }
    // `Video Sitemap`: sitemaps of all kinds have one key.
    if key
        .rsplit(' ')
        .next()
        .is_some_and(|last| last.eq_ignore_ascii_case("sitemap"))
    {
        return FieldKind::Sitemap.name();
    }
    let preferences = ["Content-Usage", "Content-Signal"];
    let known = KINDS.into_iter().filter_map(FieldKind::name);
    spelling::nearest(key, known.chain(preferences))
}
