//! Documents beside robots.txt: `tdmrep.json` and RSL licences. `abide-documents` finds what is
//! wrong with them.

use crate::edits;
use crate::file::Context;
use crate::finding::{Edit, Fix, Input, Safety};
use crate::fix::{FixResult, MAX_ROUNDS, together};
use crate::linter::Linter;
use crate::rule::Finding;
use abide::preference::{Documents, LicenceState, PreferenceProfile, TdmrepState, Vocabulary};
use abide::{Client, Code, Diagnostic, Policy, Span, Target};
use abide_documents::{DocumentFinding, DocumentFix};

/// A kind of document beside robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentKind {
    /// A `tdmrep.json`.
    Tdmrep,
    /// An RSL licence document.
    Rsl,
}

impl DocumentKind {
    /// The kind of a file or URL: a file that is named `tdmrep.json`, or XML whose root element is
    /// `rsl`. `None` for everything else, such as a robots.txt.
    ///
    /// ```
    /// use abide_lint::document::DocumentKind;
    /// let kind = |name: &str, text: &str| DocumentKind::of(name, text.as_bytes());
    /// assert_eq!(kind("public/.well-known/tdmrep.json", "[]"), Some(DocumentKind::Tdmrep));
    /// assert_eq!(kind("license.xml", "<?xml version=\"1.0\"?><rsl/>"), Some(DocumentKind::Rsl));
    /// assert_eq!(kind("robots.txt", "User-agent: *"), None);
    /// ```
    #[must_use]
    pub fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        let name = name.split(['?', '#']).next().unwrap_or_default();
        let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
        if last.eq_ignore_ascii_case("tdmrep.json") {
            return Some(Self::Tdmrep);
        }
        let root = root(std::str::from_utf8(bytes).ok()?)?;
        let local = root.rsplit(':').next().unwrap_or(root);
        (local == "rsl").then_some(Self::Rsl)
    }

    const fn input(self) -> Input {
        match self {
            Self::Tdmrep => Input::Tdmrep,
            Self::Rsl => Input::Rsl,
        }
    }

    fn findings(self, bytes: &[u8]) -> Vec<DocumentFinding> {
        match self {
            Self::Tdmrep => abide_documents::tdmrep_findings(bytes),
            Self::Rsl => abide_documents::rsl_findings(bytes),
        }
    }

    /// Whether two documents say the same: the texts of rules and licences may differ.
    fn says_the_same(self, before: &[u8], after: &[u8]) -> bool {
        match self {
            Self::Tdmrep => of_tdmrep(before) == of_tdmrep(after),
            Self::Rsl => of_rsl(before) == of_rsl(after),
        }
    }
}

/// The name of the root element: the first one behind declarations and comments.
fn root(text: &str) -> Option<&str> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest.get(..2)? {
            "<?" => "?>",
            "<!" if rest.starts_with("<!--") => "-->",
            "<!" => ">",
            _ => break,
        };
        rest = rest.split_once(end)?.1.trim_start();
    }
    let inner = rest.strip_prefix('<')?;
    inner
        .split(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))
        .next()
}

fn of_tdmrep(bytes: &[u8]) -> TdmrepState {
    match abide_documents::tdmrep(bytes) {
        TdmrepState::File(file) => {
            let mut file = (*file).clone();
            for rule in file.rules.iter_mut().flatten() {
                rule.text.clear();
            }
            TdmrepState::File(file.into())
        }
        other => other,
    }
}

fn of_rsl(bytes: &[u8]) -> LicenceState {
    match abide_documents::rsl(bytes) {
        LicenceState::Read(document) => {
            let mut document = (*document).clone();
            let contents = document.contents.iter_mut();
            for licence in contents.flat_map(|content| &mut content.licences) {
                licence.text.clear();
            }
            LicenceState::Read(document.into())
        }
        other => other,
    }
}

impl Linter {
    /// Findings of a file with this name: a robots.txt, or one of the documents beside it, as
    /// [`DocumentKind::of`] tells them apart.
    #[must_use]
    pub fn file(&self, name: &str, bytes: &[u8], context: &Context) -> Vec<Finding> {
        let findings = self.file_while(name, bytes, context, || true);
        findings.unwrap_or_default()
    }

    /// Like [`Linter::file`], but stops when `goes_on` returns false before a rule, and returns
    /// `None`.
    #[must_use]
    pub fn file_while(
        &self,
        name: &str,
        bytes: &[u8],
        context: &Context,
        goes_on: impl Fn() -> bool,
    ) -> Option<Vec<Finding>> {
        match DocumentKind::of(name, bytes) {
            Some(kind) => {
                let mut findings = self.document(kind, bytes);
                findings.extend(self.foreign_licence(kind, bytes, context));
                Some(findings)
            }
            None => self.robots_txt_while(bytes, context, &goes_on),
        }
    }

    /// The finding that a licence document says nothing about the site of `context`, if its URL is
    /// known.
    fn foreign_licence(
        &self,
        kind: DocumentKind,
        bytes: &[u8],
        context: &Context,
    ) -> Option<Finding> {
        // What matters is whether the site names the document, wherever it is.
        const NAMED: &str = "https://licence.invalid/licence.xml";
        let url = context
            .url
            .as_deref()
            .filter(|_| kind == DocumentKind::Rsl)?;
        let robots = format!("License: {NAMED}\nUser-agent: *\nAllow: /\n");
        let client = Client::unnamed().with_preferences(PreferenceProfile {
            vocabularies: Some(vec![Vocabulary::Rsl]),
            ..PreferenceProfile::default()
        });
        let documents = Documents::default().with_licence(NAMED, abide_documents::rsl(bytes));
        let target = Target::new(url).ok()?.with_documents(&documents);
        let policy = Policy::compile(robots.as_bytes(), &client);
        let found = policy.diagnostics_of(&policy.decide(&target));
        let mut found = found.into_iter();
        let foreign = found.find(|one| one.code == Code::RslForeignHost)?;
        let message =
            format!("the document is only about other hosts, so it says nothing about {url}");
        let foreign = Diagnostic::new(foreign.code, None, Span::default(), message);
        self.of_engine(None, foreign, kind.input())
    }

    /// Like [`Linter::file`], and applies fixes up to `safety`.
    ///
    /// # Panics
    /// Only on a bug.
    #[must_use]
    pub fn fixed_file(
        &self,
        name: &str,
        bytes: &[u8],
        context: &Context,
        safety: Safety,
    ) -> FixResult {
        let fixed = self.fixed_file_while(name, bytes, context, safety, || true);
        fixed.expect("nothing ends it early")
    }

    /// Like [`Linter::fixed_file`], but stops when `goes_on` returns false, and returns `None`:
    /// fixes of a large robots.txt are found and proved up to ten times.
    #[must_use]
    pub fn fixed_file_while(
        &self,
        name: &str,
        bytes: &[u8],
        context: &Context,
        safety: Safety,
        goes_on: impl Fn() -> bool,
    ) -> Option<FixResult> {
        match DocumentKind::of(name, bytes) {
            Some(kind) => {
                let mut fixed = self.fixed_document(kind, bytes, safety);
                let foreign = self.foreign_licence(kind, &fixed.bytes, context);
                fixed.findings.extend(foreign);
                Some(fixed)
            }
            None => self.fixed_while(bytes, context, safety, &goes_on),
        }
    }

    /// Returns the findings in a document, in the order of its lines.
    ///
    /// ```
    /// use abide_lint::Linter;
    /// use abide_lint::document::DocumentKind;
    /// let file = br#"{"location": "/", "tdm-reservation": 1}"#;
    /// let found = Linter::new().document(DocumentKind::Tdmrep, file);
    /// assert_eq!(found[0].rule.code(), "tdmrep-unreadable");
    /// ```
    #[must_use]
    pub fn document(&self, kind: DocumentKind, bytes: &[u8]) -> Vec<Finding> {
        let found = kind.findings(bytes).into_iter();
        let mut findings: Vec<_> = found
            .filter_map(|found| {
                let finding = self.of_engine(None, found.diagnostic, kind.input())?;
                let fix = found.fix.map(fix);
                Some(Finding { fix, ..finding })
            })
            .collect();
        self.finish(&mut findings);
        findings
    }

    /// Applies fixes of a document up to `safety` until there are none left, at most ten times.
    /// Safe fixes are proved: the document says the same after them.
    #[must_use]
    pub fn fixed_document(&self, kind: DocumentKind, bytes: &[u8], safety: Safety) -> FixResult {
        let mut fixed = FixResult {
            bytes: bytes.to_vec(),
            fixed: 0,
            findings: self.document(kind, bytes),
        };
        for _ in 0..MAX_ROUNDS {
            let chosen = fixed.findings.iter().filter_map(|one| one.fix.as_ref());
            let chosen: Vec<_> = chosen.filter(|fix| fix.safety <= safety).collect();
            let (edits, count) = together(&chosen);
            let next = edits::applied(&fixed.bytes, &edits);
            let is_safe = || kind.says_the_same(&fixed.bytes, &next);
            if count == 0 || (safety == Safety::Safe && !is_safe()) {
                break;
            }
            fixed = FixResult {
                findings: self.document(kind, &next),
                bytes: next,
                fixed: fixed.fixed + count,
            };
        }
        fixed
    }
}

fn fix(fix: DocumentFix) -> Fix {
    let edits = fix.edits.into_iter().map(|(span, new)| Edit {
        span,
        replacement: new.into_bytes(),
    });
    Fix {
        safety: if fix.is_safe {
            Safety::Safe
        } else {
            Safety::Unsafe
        },
        title: fix.title.into(),
        edits: edits.collect(),
    }
}
