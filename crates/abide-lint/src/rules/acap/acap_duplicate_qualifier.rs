//! `acap-duplicate-qualifier`: reports a diagnostic of the engine.

use crate::acap::words::{Word, qualifiers};
use crate::acap::{AcapField, edit, field_of, fix};
use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapDuplicateQualifier,
    include_str!("acap_duplicate_qualifier.md"),
)
.with_fix(fix_for);

/// Removes a qualifier that another one of the permission repeats or makes stricter. Limits of
/// different kinds all count, so all of them stay.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let all: Vec<Limit> = qualifiers(&field)
        .into_iter()
        .filter_map(|word| Limit::read(&field, word))
        .collect();
    let is_needless = |at: usize, limit: &Limit| {
        let mut others = all.iter().enumerate().filter(|(other, _)| *other != at);
        others.any(|(other, stricter)| stricter.covers(limit, other < at))
    };
    let edits: Vec<Edit> = all
        .iter()
        .enumerate()
        .filter(|(at, limit)| is_needless(*at, limit))
        .map(|(_, limit)| edit(with_blanks_before(&field, limit.span), Vec::new()))
        .collect();
    fix(Safety::Safe, "keep the stricter qualifier only", edits)
}

fn with_blanks_before(field: &AcapField<'_>, span: Span) -> Span {
    let before = Span::new(field.value.start, span.start);
    let bytes = before.of(field.text).iter().rev();
    let blanks = bytes.take_while(|byte| byte.is_ascii_whitespace()).count();
    let blanks = u32::try_from(blanks).unwrap_or_default();
    Span::new(span.start.saturating_sub(blanks), span.end)
}

/// The parts of a qualifier that can be compared with another's.
struct Limit {
    span: Span,
    name: String,
    /// The value, without its number.
    form: String,
    number: Option<u64>,
}

impl Limit {
    fn read(field: &AcapField<'_>, word: Word) -> Option<Self> {
        let Word::Qualifier { name, value } = word else {
            return None;
        };
        let written = |span: Span| std::str::from_utf8(span.of(field.text)).ok();
        let name = written(name)?.to_ascii_lowercase();
        let (form, number) = match written(value)?.split_once('-') {
            Some((number, unit)) if is_number(number) => {
                (unit.to_ascii_lowercase(), number.parse().ok())
            }
            _ if name.ends_with("-resource") => (written(value)?.to_owned(), None),
            _ => (written(value)?.to_ascii_lowercase(), None),
        };
        Some(Self {
            span: word.span(),
            name,
            form,
            number,
        })
    }

    /// Whether removing `other` changes nothing, given this one. Of two equal ones, the first
    /// covers the second.
    fn covers(&self, other: &Self, is_first: bool) -> bool {
        if self.name != other.name {
            return false;
        }
        if self.name == "prohibited-modification" && self.form == "any" && other.form != "any" {
            return true;
        }
        self.form == other.form
            && match (self.number, other.number) {
                (Some(own), Some(others)) if own != others => own < others,
                (own, others) => own == others && is_first,
            }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
