//! A rule of the linter: one kind of finding, with its page and its check.

use crate::file::File;
use crate::finding::{Fix, Input, RelatedPlace, safe};
use crate::page::Page;
use abide::Span;
use abide::{Code, Decision, Diagnostic, Severity};
use std::borrow::Cow;

/// Rules about lines that are silent about a file that is no robots.txt.
pub(crate) const OF_LINES: &[&str] = &[
    "unreadable-line",
    "unknown-field",
    "control-char",
    "missing-colon",
];

/// One kind of finding. Each has a file and a page of its own in `rules/`, named after its code.
#[derive(Debug)]
pub struct Rule {
    code: &'static str,
    severity: Severity,
    other_severity: Option<Severity>,
    page: &'static str,
    pub(crate) check: RuleCheck,
    /// What the file says about a finding of the engine.
    pub(crate) judge: Option<Judge>,
    /// A check of the file beside a finding of the engine.
    pub(crate) also: Option<FileCheck>,
    /// Rules that are silent on a line where this one finds something, or in the whole file if this
    /// one is about the file.
    pub(crate) instead_of: &'static [&'static str],
    /// Whether its findings say that some robots ignore a line, or that its pattern is probably not
    /// what was meant.
    pub(crate) doubts_line: bool,
}

/// How a rule finds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RuleCheck {
    /// The engine finds it; the linter has a fix.
    Engine(Code, Option<FixFor>),
    /// The linter finds it in a robots.txt.
    File(FileCheck),
    /// The linter finds it in the decision about a response.
    Decision(DecisionCheck),
    /// The linter finds it in comments for the linter.
    Comments,
}

/// Finds something in a robots.txt.
pub(crate) type FileCheck = fn(&File<'_>, &mut Findings);

/// Finds something in the decision about a response.
pub(crate) type DecisionCheck = fn(&Decision<'_>, &mut Findings);

/// The fix of a finding of the engine.
pub(crate) type FixFor = fn(&File<'_>, &Diagnostic) -> Option<Fix>;

/// What the file says about a finding of the engine, which the engine does not look at.
pub(crate) type Judge = fn(&File<'_>, &Diagnostic) -> Judgement;

/// What is to be said in place of what the engine says; `None` keeps its words or its severity.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    pub(crate) severity: Option<Severity>,
    pub(crate) message: Option<String>,
}

impl Judgement {
    /// A note, with these words.
    pub(crate) fn note(message: impl Into<Option<String>>) -> Self {
        Self {
            severity: Some(Severity::Info),
            message: message.into(),
        }
    }

    /// Other words.
    pub(crate) fn words(message: impl Into<String>) -> Self {
        Self {
            severity: None,
            message: Some(message.into()),
        }
    }
}

impl Rule {
    /// A rule for a finding of the engine.
    pub(crate) const fn engine(code: Code, page: &'static str) -> Self {
        Self {
            code: code.name(),
            severity: code.severity(),
            other_severity: None,
            page: kept(page),
            check: RuleCheck::Engine(code, None),
            judge: None,
            also: None,
            instead_of: &[],
            doubts_line: false,
        }
    }

    /// This rule, with a fix.
    pub(crate) const fn with_fix(self, fix_for: FixFor) -> Self {
        let check = match self.check {
            RuleCheck::Engine(code, _) => RuleCheck::Engine(code, Some(fix_for)),
            other => other,
        };
        Self { check, ..self }
    }

    /// This rule, whose findings matter more or less, or say more, because of the rest of the file.
    pub(crate) const fn judged(self, judge: Judge) -> Self {
        Self {
            judge: Some(judge),
            ..self
        }
    }

    /// This rule, with a name other than that of the engine's finding.
    pub(crate) const fn named(self, code: &'static str) -> Self {
        Self { code, ..self }
    }

    /// This rule, which also looks at the file itself.
    pub(crate) const fn with_check(self, also: FileCheck) -> Self {
        Self {
            also: Some(also),
            ..self
        }
    }

    /// A rule of the linter itself.
    pub(crate) const fn new(
        code: &'static str,
        severity: Severity,
        page: &'static str,
        check: RuleCheck,
    ) -> Self {
        Self {
            code,
            severity,
            other_severity: None,
            page: kept(page),
            check,
            judge: None,
            also: None,
            instead_of: &[],
            doubts_line: false,
        }
    }

    /// This rule, which silences others.
    pub(crate) const fn instead_of(self, codes: &'static [&'static str]) -> Self {
        Self {
            instead_of: codes,
            ..self
        }
    }

    /// This rule, some of whose findings matter more or less than the others.
    pub(crate) const fn or(self, severity: Severity) -> Self {
        Self {
            other_severity: Some(severity),
            ..self
        }
    }

    /// This rule, whose findings say that some robots ignore a line, or that its pattern is
    /// probably not what was meant.
    pub(crate) const fn doubting_line(self) -> Self {
        Self {
            doubts_line: true,
            ..self
        }
    }

    /// The rule's stable name.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// How much its findings matter, unless they have [`Rule::other_severity`].
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// The severity of some of its findings, if not all have the same.
    #[must_use]
    pub const fn other_severity(&self) -> Option<Severity> {
        self.other_severity
    }

    /// Whether its findings can have this severity.
    pub(crate) fn can_be(&self, severity: Severity) -> bool {
        self.severity == severity || self.other_severity == Some(severity)
    }

    /// Its page: what it finds, why that matters, what is wrong and what right, and the
    /// requirement. Empty without the feature `pages`.
    #[must_use]
    pub fn page(&self) -> Page {
        Page::read(self.page)
    }

    /// The page as written, in Markdown. Empty without the feature `pages`.
    #[must_use]
    pub const fn markdown(&self) -> &'static str {
        self.page
    }
}

/// The page of a rule. Without the feature, the program does not contain it.
const fn kept(page: &'static str) -> &'static str {
    if cfg!(feature = "pages") { page } else { "" }
}

/// Something that is wrong or odd, as a rule reports it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// What it is about.
    pub input: Input,
    /// The line it is about; `None` for the whole file.
    pub line: Option<u32>,
    /// The bytes it is about, in the decoded text of the input. Empty for the whole file.
    pub span: Span,
    /// One sentence: what was found.
    pub message: Cow<'static, str>,
    /// Other places that belong to it, such as the line that shadows this one.
    pub related: Vec<RelatedPlace>,
    /// A fix, if there is one.
    pub fix: Option<Fix>,
    /// The severity, if it is not that of the rule.
    pub(crate) own_severity: Option<Severity>,
}

impl Finding {
    pub(crate) fn new(
        rule: &'static Rule,
        input: Input,
        line: Option<u32>,
        span: Span,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            rule,
            input,
            line,
            span,
            message: safe(message),
            related: Vec::new(),
            fix: None,
            own_severity: None,
        }
    }

    /// How much the finding matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.own_severity.unwrap_or(self.rule.severity())
    }
}

/// Collects the findings of a rule.
#[derive(Debug)]
pub(crate) struct Findings {
    rule: &'static Rule,
    pub(crate) findings: Vec<Finding>,
}

impl Findings {
    pub(crate) fn by(rule: &'static Rule) -> Self {
        let findings = Vec::new();
        Self { rule, findings }
    }

    /// Adds a finding on a line, or about the whole file. The result takes a fix and related lines.
    pub(crate) fn say(
        &mut self,
        line: Option<u32>,
        span: Span,
        message: impl Into<Cow<'static, str>>,
    ) -> Addition<'_> {
        let finding = Finding::new(self.rule, Input::RobotsTxt, line, span, message);
        self.findings.push(finding);
        Addition(self.findings.last_mut())
    }
}

/// Adds details to a finding.
#[derive(Debug)]
pub(crate) struct Addition<'f>(Option<&'f mut Finding>);

impl Addition<'_> {
    pub(crate) fn severity(mut self, severity: Severity) -> Self {
        if let Some(finding) = &mut self.0 {
            finding.own_severity = Some(severity);
        }
        self
    }

    pub(crate) fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        if let Some(finding) = &mut self.0 {
            finding.fix = fix.into();
        }
        self
    }

    pub(crate) fn related(
        mut self,
        line: u32,
        span: Span,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        if let Some(finding) = &mut self.0 {
            let message = safe(message);
            finding.related.push(RelatedPlace {
                line,
                span,
                message,
            });
        }
        self
    }
}

impl File<'_> {
    /// Adds another line to a finding.
    pub(crate) fn relate(&self, finding: Addition<'_>, line: u32, message: &'static str) {
        if let Some(other) = self.line(line) {
            finding.related(line, Self::statement(other), message);
        }
    }
}
