//! Counts findings by their codes.

use super::LintedFile;
use abide::Severity;
use abide_contract::lint::Statistic;
use abide_contract::{Versioned, text};
use anstyle::{AnsiColor, Style};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How often each code was found: the most frequent first.
#[derive(Debug)]
pub(crate) struct Statistics(Vec<Statistic>);

impl Statistics {
    pub(crate) fn of(linted: &[LintedFile]) -> Self {
        let mut by_code: BTreeMap<&'static str, Statistic> = BTreeMap::new();
        for one in linted {
            let mut codes: Vec<&'static str> = Vec::new();
            for finding in &one.findings {
                let code = finding.rule.code();
                let count = by_code
                    .entry(code)
                    .or_insert_with(|| Statistic::new(code, finding.severity()));
                count.add(finding);
                codes.push(code);
            }
            codes.sort_unstable();
            codes.dedup();
            for code in codes {
                if let Some(count) = by_code.get_mut(code) {
                    count.files += 1;
                }
            }
        }
        let mut all: Vec<_> = by_code.into_values().collect();
        all.sort_by_key(|count| std::cmp::Reverse(count.findings));
        Self(all)
    }

    /// A table.
    pub(crate) fn human(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let bold = Style::new().bold();
        writeln!(
            out,
            "{bold}findings   files  fixable  severity  code{bold:#}"
        )?;
        for count in &self.0 {
            let style = match count.severity {
                Severity::Error => AnsiColor::Red.on_default(),
                Severity::Warning => AnsiColor::Yellow.on_default(),
                Severity::Info => Style::new(),
            };
            let (findings, files, fixable) = (count.findings, count.files, count.fixable());
            let (severity, code) = (count.severity.name(), count.code);
            writeln!(
                out,
                "{findings:>8}  {files:>6}  {fixable:>7}  {style}{severity:<8}{style:#}  {code}"
            )?;
        }
        writeln!(out)
    }

    /// One array.
    pub(crate) fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let all: Vec<_> = self.0.iter().map(Versioned::new).collect();
        writeln!(out, "{}", text::pretty(&all))
    }

    /// One object per line.
    pub(crate) fn jsonl(&self, out: &mut dyn Write) -> io::Result<()> {
        for count in &self.0 {
            writeln!(out, "{}", text::line(&Versioned::new(count)))?;
        }
        Ok(())
    }
}
