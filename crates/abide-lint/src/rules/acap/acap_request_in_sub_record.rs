//! `acap-request-in-sub-record`: the engine finds it.

use crate::acap::layout::moved_up;
use crate::acap::{AcapField, fields, fix, told};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapRequestInSubRecord,
    include_str!("acap_request_in_sub_record.md"),
)
.mended_by(mend);

/// All requests of the record at once, in their order.
fn mend(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let request = told(file, diagnostic)?;
    let mut record: Vec<AcapField<'_>> = Vec::new();
    for field in fields(file) {
        if field.is_crawler() {
            if field.line.number > request.line.number {
                break;
            }
            record.clear();
        }
        record.push(field);
    }
    let mut of_purposes = record
        .into_iter()
        .skip_while(|field| !field.is("usage-purpose"));
    let first = of_purposes.next()?.line;
    let requests: Vec<_> = of_purposes
        .filter(|field| field.is("request-take-down") || field.is("request-re-crawl"))
        .map(|field| field.line)
        .collect();
    let title = "move the requests above the usage purposes";
    fix(Safety::Unsafe, title, moved_up(file, &requests, first))
}
