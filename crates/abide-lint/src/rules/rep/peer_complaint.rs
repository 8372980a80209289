//! `peer-complaint`: what another tool will say about a line, if the context asks for that tool.

use crate::file::File;
use crate::peers::Peer;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::{Severity, Span};

pub(crate) static RULE: Rule = Rule::new(
    "peer-complaint",
    Severity::Warning,
    include_str!("peer_complaint.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

fn check(file: &File<'_>, found: &mut Findings) {
    for peer in &file.context.peers {
        for complaint in peer.complaints(file.bytes) {
            // Lines behind the limit, which robots do not read, have no place.
            let line = file.line(complaint.line);
            let span = line.map_or_else(Span::default, File::statement);
            let number = line.map(|line| line.number);
            let message = match number {
                Some(_) => format!("{}: {}", peer.title(), complaint.message),
                None => format!(
                    "{}, line {}: {}",
                    peer.title(),
                    complaint.line,
                    complaint.message
                ),
            };
            let place = found.say(number, span, message);
            place.severity(severity(*peer));
        }
    }
}

/// How much a complaint matters to who asked for it.
fn severity(peer: Peer) -> Severity {
    if peer.fails() {
        Severity::Warning
    } else {
        Severity::Info
    }
}
