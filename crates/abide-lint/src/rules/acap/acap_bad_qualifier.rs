//! `acap-bad-qualifier`: reports a diagnostic of the engine.

use crate::acap::words::{Word, qualifiers};
use crate::acap::{field_of, write};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::acap::Qualifier;
use abide::verdict::{Context, Modification};
use abide::{Code, Diagnostic, Named};
use abide_analysis::spelling::nearest;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapBadQualifier,
    include_str!("acap_bad_qualifier.md"),
)
.with_fix(fix_for);

/// Fixes typing errors in names and values. Anything else needs a person.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let written = |span: Span| std::str::from_utf8(span.of(field.text)).ok();
    qualifiers(&field).into_iter().find_map(|word| {
        let Word::Qualifier { name, value } = word else {
            return None;
        };
        let meant = nearest(written(name)?, Qualifier::names())?;
        if !meant.eq_ignore_ascii_case(written(name)?) {
            return Some(write(Safety::Unsafe, name, meant));
        }
        let meant = value_like(meant.parse().ok()?, written(value)?)?;
        let is_other = !meant.eq_ignore_ascii_case(written(value)?);
        is_other.then(|| write(Safety::Unsafe, value, meant))
    })
}

/// The valid value most similar to `wrong`; does not guess numbers.
fn value_like(qualifier: Qualifier, wrong: &str) -> Option<String> {
    let (number, unit) = wrong.split_once('-').unwrap_or_default();
    let counted = |units: &[&'static str]| {
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let unit = nearest(unit, units.iter().copied()).filter(|_| is_number)?;
        Some(format!("{number}-{unit}"))
    };
    let named = |names: &[&'static str]| Some(nearest(wrong, names.iter().copied())?.to_owned());
    match qualifier {
        Qualifier::TimeLimit => counted(&["days"]).or_else(|| named(&["until-recrawled"])),
        Qualifier::MaxLength => counted(&["chars", "words"]),
        Qualifier::ProhibitedModification => named(&Modification::names().collect::<Vec<_>>()),
        Qualifier::ProhibitedContext => named(&[Context::UserFrame.name()]),
        Qualifier::RequiredContext => named(&[Context::OriginalFrame.name()]),
        Qualifier::MustUseResource | Qualifier::MustIncludeResource => None,
    }
}
