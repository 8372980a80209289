//! `acap-request-in-sub-record`: reports a diagnostic of the engine.

use crate::acap::moves::moved_up;
use crate::acap::{AcapField, at, fields, fix};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::syntax::Line;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapRequestInSubRecord,
    include_str!("acap_request_in_sub_record.md"),
)
.with_fix(fix_for);

/// Moves all requests of the record at once, in order; the finding for the first one has the fix.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let number = diagnostic.line?;
    let purpose = first_purpose(file, number)?;
    let requests: Vec<_> = fields(file)
        .skip_while(|field| field.line.number < number)
        .take_while(|field| !field.is_crawler())
        .filter(is_request)
        .map(|field| field.line)
        .collect();
    let title = "move the requests above the usage purposes";
    fix(Safety::Unsafe, title, moved_up(file, &requests, purpose))
}

/// The first usage purpose of the record that this line is in, if no request is between the two and
/// the record began at most 1000 lines before.
fn first_purpose<'a>(file: &File<'a>, number: u32) -> Option<&'a Line> {
    let mut first = None;
    let lowest = number.saturating_sub(1000);
    let mut has_request = false;
    for number in (lowest..number).rev() {
        let Some(field) = at(file, number) else {
            continue;
        };
        if field.is("usage-purpose") {
            if has_request {
                return None;
            }
            first = Some(field.line);
        }
        if field.is_crawler() {
            return first;
        }
        has_request |= is_request(&field);
    }
    None
}

fn is_request(field: &AcapField<'_>) -> bool {
    field.is("request-take-down") || field.is("request-re-crawl")
}
