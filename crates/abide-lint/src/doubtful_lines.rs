//! Lines that probably do not mean what the owner of the file meant.

use crate::file::File;
use crate::rule::{Findings, RuleCheck};
use crate::rules;
use abide::Severity;
use abide::syntax::Line;
use std::collections::BTreeSet;

impl File<'_> {
    /// Whether some robots ignore a line, or its pattern is probably not what was meant. Advice to
    /// remove a rule because of such a line is wrong: once it is corrected, the rule is needed.
    pub(crate) fn is_doubtful(&self, line: &Line) -> bool {
        let lines = self.doubtful_lines.get_or_init(|| doubtful_lines(self));
        lines.contains(&line.number)
    }
}

/// The numbers of these lines, whether their rules are selected or not.
fn doubtful_lines(file: &File<'_>) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    for rule in rules::ALL.iter().filter(|rule| rule.doubts_line) {
        let check = match rule.check {
            RuleCheck::Engine(code, _) => {
                let diagnostics = file.diagnostics().iter();
                let own = diagnostics.filter(|diagnostic| diagnostic.code == code);
                lines.extend(own.filter_map(|diagnostic| diagnostic.line));
                rule.also
            }
            RuleCheck::File(check) => Some(check),
            RuleCheck::Decision(_) | RuleCheck::Comments => None,
        };
        if let Some(check) = check {
            let mut found = Findings::by(rule);
            check(file, &mut found);
            let grave = found.findings.iter();
            // A note of a rule whose other findings are worse doubts nothing.
            let least = rule.severity().min(Severity::Warning);
            let grave = grave.filter(|finding| finding.severity() >= least);
            lines.extend(grave.filter_map(|finding| finding.line));
        }
    }
    lines
}
