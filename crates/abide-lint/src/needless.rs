//! Rules that nobody misses although robots do not read them as they were meant: another rule of
//! their group does the same already.

use crate::file::File;
use abide::syntax::{Line, PathPattern, Rule};
use abide_analysis::language::Language;

impl File<'_> {
    /// The line of the rule that already does what `line` would do if its value were `meant`: a
    /// rule of the same sense about the same paths or more, and no rule of the other sense between
    /// the two.
    pub(crate) fn does_already(&self, line: &Line, meant: &[u8]) -> Option<u32> {
        let rules = self.rules.get(line.group?)?;
        let left = self.looks_left.get().checked_sub(rules.len())?;
        self.looks_left.set(left);
        let sense = self.robots.rule(line)?.sense;
        let pattern = PathPattern::read(meant).ok()?;
        let language = Language::of(&pattern);
        let is_plain = |rule: &&Rule<'_>| !rule.value.contains(&b' ') && !rule.value.is_empty();
        let is_other = |rule: &&Rule<'_>| rule.line.number != line.number;
        let others = rules.iter().filter(is_other).filter(is_plain);
        let others = others.filter_map(|rule| Some((rule, rule.pattern.as_ref().ok()?)));
        // Of patterns that are compared in two forms, only their bytes show it.
        let begins_so = |value: &[u8]| {
            let is_literal = !value.iter().any(|byte| b"*$".contains(byte));
            value == meant || (is_literal && meant.starts_with(value))
        };
        let covers = |(rule, own): &(&Rule<'_>, &PathPattern<'_>)| {
            let has_all = begins_so(rule.value) || Language::of(own).contains(&language);
            rule.sense == sense && has_all
        };
        let covering = others.clone().filter(covers);
        let (rule, cover) = covering.max_by_key(|(_, own)| own.length())?;
        let comes_between = |(rule, own): (&Rule<'_>, &PathPattern<'_>)| {
            let is_between = own.length() >= cover.length() && own.length() <= pattern.length();
            let has_all = begins_so(rule.value) || Language::of(own).contains(&language);
            rule.sense != sense && is_between && has_all
        };
        (!others.clone().any(comes_between)).then_some(rule.line.number)
    }
}

/// What to say about a line that another makes needless.
pub(crate) fn needless(already: u32) -> String {
    format!("line {already} already does this; delete this line")
}
