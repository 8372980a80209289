//! The linter: runs the selected rules over files, headers and pages.

use crate::applications;
use crate::comments::Suppressions;
use crate::crawlers;
use crate::file::{Context, File};
use crate::finding::{Fix, Input, Safety, safe};
use crate::legal_comment::LegalComments;
use crate::rule::{Finding, Findings, Rule, RuleCheck};
use crate::rules::{self, UnknownCodeError};
use crate::safety::Prover;
use abide::preference::{Documents, PreferenceProfile};
use abide::syntax::Addressee;
use abide::syntax::Encoding;
use abide::tag::{Response, Scope};
use abide::{
    Client, Code, Diagnostic, Policy, ProductToken, PurposeToken, PurposeTokenError, Robots,
    Severity, Span, Target,
};
use abide_analysis::GoesOn;
use abide_analysis::words::enumerated;
use abide_known_robots::KnownRobot;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Runs rules over robots.txt files and responses. It checks the whole file, for no particular
/// client.
///
/// ```
/// use abide_lint::{Context, Linter};
/// let found = Linter::new().robots_txt(b"User-agent: *\nDisallow: press/\n", &Context::default());
/// assert_eq!(found[0].rule.code(), "pattern-no-slash");
/// assert_eq!(found[0].line, Some(2));
/// ```
#[derive(Clone, Debug)]
pub struct Linter {
    chosen: Vec<&'static Rule>,
    /// Severities by code that replace those of the findings.
    severities: BTreeMap<&'static str, Severity>,
    /// Whether findings have fixes, which takes most of the time: safe ones are proved.
    has_fixes: bool,
}

impl Default for Linter {
    fn default() -> Self {
        Self::new()
    }
}

impl Linter {
    /// A linter with every rule.
    #[must_use]
    pub fn new() -> Self {
        Self {
            chosen: rules::ALL.to_vec(),
            severities: BTreeMap::new(),
            has_fixes: true,
        }
    }

    /// Leaves all fixes out of the findings. This takes about a tenth of the time, because no fix
    /// has to be proved safe.
    #[must_use]
    pub fn without_fixes(mut self) -> Self {
        self.has_fixes = false;
        self
    }

    /// Selects only the rules with these codes. A code may end in `*`, such as `acap-*`.
    ///
    /// # Errors
    /// [`UnknownCodeError`] for the first one that names no rule.
    pub fn select<'c>(
        mut self,
        codes: impl IntoIterator<Item = &'c str>,
    ) -> Result<Self, UnknownCodeError> {
        let kept = named(codes)?;
        self.chosen.retain(|rule| kept.contains(rule.code()));
        Ok(self)
    }

    /// Removes the rules with these codes, written as for [`Linter::select`].
    ///
    /// # Errors
    /// [`UnknownCodeError`] for the first one that names no rule.
    pub fn ignore<'c>(
        mut self,
        codes: impl IntoIterator<Item = &'c str>,
    ) -> Result<Self, UnknownCodeError> {
        let left_out = named(codes)?;
        self.chosen.retain(|rule| !left_out.contains(rule.code()));
        Ok(self)
    }

    /// Gives the findings of these rules another severity. Codes are written as for
    /// [`Linter::select`]; of several that name a rule, the last one counts.
    ///
    /// # Errors
    /// [`UnknownCodeError`] for the first one that names no rule.
    pub fn with_severities<'c>(
        mut self,
        severities: impl IntoIterator<Item = (&'c str, Severity)>,
    ) -> Result<Self, UnknownCodeError> {
        for (code, severity) in severities {
            let codes = named([code])?.into_iter();
            self.severities.extend(codes.map(|code| (code, severity)));
        }
        Ok(self)
    }

    /// Replaces severities and sorts.
    pub(crate) fn finish(&self, findings: &mut Vec<Finding>) {
        for finding in findings.iter_mut() {
            let (code, own) = (finding.rule.code(), finding.severity());
            debug_assert!(finding.rule.can_be(own), "{code} is not declared {own:?}");
            if let Some(severity) = self.severities.get(finding.rule.code()) {
                finding.own_severity = Some(*severity);
            }
        }
        sort(findings);
    }

    /// Returns the findings in a robots.txt, in the order of its lines; findings about the whole
    /// file come first. A comment `# abide: ignore CODE` suppresses findings on its line if it
    /// follows a field, or else on the next line with a field.
    #[must_use]
    pub fn robots_txt(&self, bytes: &[u8], context: &Context) -> Vec<Finding> {
        self.parsed(bytes, &Robots::parse(bytes), context)
    }

    /// Returns the findings of [`Linter::robots_txt`] in a file that is parsed already: `robots` is
    /// `Robots::parse(bytes)`.
    #[must_use]
    pub fn parsed(&self, bytes: &[u8], robots: &Robots, context: &Context) -> Vec<Finding> {
        let findings = self.parsed_while(bytes, robots, context, &|| true);
        findings.unwrap_or_default()
    }

    /// Like [`Linter::robots_txt`], but stops when `goes_on` returns false before a rule or a
    /// proof, and returns `None`.
    pub(crate) fn robots_txt_while(
        &self,
        bytes: &[u8],
        context: &Context,
        goes_on: GoesOn<'_>,
    ) -> Option<Vec<Finding>> {
        self.parsed_while(bytes, &Robots::parse(bytes), context, goes_on)
    }

    fn parsed_while(
        &self,
        bytes: &[u8],
        robots: &Robots,
        context: &Context,
        goes_on: GoesOn<'_>,
    ) -> Option<Vec<Finding>> {
        let client = reader(robots, context);
        let file = File::new(bytes, robots, &client, context);
        let mut findings = Vec::new();
        for diagnostic in engine_diagnostics(&file) {
            findings.extend(self.of_engine(Some(&file), diagnostic, Input::RobotsTxt));
        }
        for rule in &self.chosen {
            let check = match rule.check {
                RuleCheck::File(check) => Some(check),
                _ => rule.also,
            };
            if !goes_on() {
                return None;
            }
            if let Some(check) = check {
                let mut found = Findings::by(rule);
                check(&file, &mut found);
                findings.append(&mut found.findings);
            }
        }
        without_superfluous(&mut findings);
        keep_what_matters(&file, &mut findings);
        if self.has_fixes {
            guard_the_limit(&file, &mut findings);
            guard_legal_comments(&file, &mut findings);
            prove(&file, &mut findings, goes_on)?;
        } else {
            for finding in &mut findings {
                finding.fix = None;
            }
        }
        let ignored = Suppressions::read(robots);
        let mut findings = ignored.left_of(findings);
        for rule in &self.chosen {
            if matches!(rule.check, RuleCheck::Comments) {
                let mut found = Findings::by(rule);
                ignored.check(&mut found);
                findings.append(&mut found.findings);
            }
        }
        self.finish(&mut findings);
        Some(findings)
    }

    /// Returns the findings in a response and its page, for every product token that is named there
    /// and for all other robots. Uses the robots.txt of the site if it is given.
    #[must_use]
    pub fn response(&self, response: &Response, robots_txt: Option<(&[u8], &str)>) -> Vec<Finding> {
        self.response_with(response, robots_txt, &Documents::default())
    }

    /// Returns the findings of [`Linter::response`] for a site with these documents beside its
    /// robots.txt. Findings about their texts come from [`Linter::document`](crate::document).
    #[must_use]
    pub fn response_with(
        &self,
        response: &Response,
        robots_txt: Option<(&[u8], &str)>,
        documents: &Documents,
    ) -> Vec<Finding> {
        let mut client = nobody().with_preferences(PreferenceProfile::default());
        let (bytes, url) = robots_txt.unwrap_or((b"", "/"));
        let robots = Robots::parse(bytes);
        let named = robots_named(&robots);
        for token in robots_addressed(response, &named) {
            if let Ok(token) = ProductToken::nonstandard(token) {
                client = client.with_product_token(token);
            }
        }
        let policy = Policy::compile(bytes, &client);
        let Ok(target) = Target::new(url) else {
            return Vec::new();
        };
        let alone = policy.diagnostics_of(&policy.decide(&target));
        let target = target.with_response(response).with_documents(documents);
        let decision = policy.decide(&target);
        let diagnostics = policy.diagnostics_of(&decision).into_iter();
        let mut findings: Vec<_> = diagnostics
            // What robots.txt says alone is a finding about robots.txt.
            .filter(|diagnostic| !is_conflict_of(&alone, diagnostic))
            .filter(|diagnostic| !documents.diagnostics().contains(diagnostic))
            .filter_map(|diagnostic| self.of_engine(None, diagnostic, Input::Response))
            // Lines of robots.txt are not lines of the response.
            .map(|finding| Finding {
                line: None,
                span: Span::default(),
                ..finding
            })
            .collect();
        if !findings.iter().any(is_about_hidden_noindex)
            && let Some(diagnostic) = hidden_noindex(bytes, &named, &target)
        {
            findings.extend(self.of_engine(None, diagnostic, Input::Response));
        }
        for rule in &self.chosen {
            if let RuleCheck::Decision(check) = rule.check {
                let mut found = Findings::by(rule);
                check(&decision, &mut found);
                let own = found.findings.into_iter();
                findings.extend(own.map(|finding| Finding {
                    input: Input::Response,
                    ..finding
                }));
            }
        }
        self.finish(&mut findings);
        findings
    }

    /// A finding of the engine, if its rule is selected.
    pub(crate) fn of_engine(
        &self,
        file: Option<&File<'_>>,
        diagnostic: Diagnostic,
        input: Input,
    ) -> Option<Finding> {
        let (rule, fix_for) = self.chosen.iter().find_map(|rule| match rule.check {
            RuleCheck::Engine(code, fix_for) if code == diagnostic.code => Some((*rule, fix_for)),
            _ => None,
        })?;
        let fix = file
            .zip(fix_for)
            .and_then(|(file, fix_for)| fix_for(file, &diagnostic));
        let severity = match file {
            Some(file) if unregistered_purpose(file, &diagnostic).is_some() => Severity::Warning,
            Some(file) => severity(file.robots, &diagnostic),
            None => diagnostic.severity,
        };
        let judged = file.zip(rule.judge);
        let judged = judged.map(|(file, judge)| judge(file, &diagnostic));
        let judged = judged.unwrap_or_default();
        let Diagnostic { line, span, .. } = diagnostic;
        let message = judged.message.map(Into::into);
        Some(Finding {
            fix,
            own_severity: Some(judged.severity.unwrap_or(severity)),
            ..Finding::new(
                rule,
                input,
                line,
                span,
                message.unwrap_or(diagnostic.message),
            )
        })
    }
}

/// What the engine finds in the file itself, and in what it asks of registered applications.
fn engine_diagnostics(file: &File<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = file.diagnostics().to_vec();
    diagnostics.extend(applications::diagnostics(file));
    for diagnostic in &mut diagnostics {
        if let Some(error) = unregistered_purpose(file, diagnostic) {
            diagnostic.message = error.to_string().into();
        }
    }
    diagnostics
}

/// Which of the known purposes a line does not name: the linter has a list of them, and no robot
/// that claims any.
fn unregistered_purpose(file: &File<'_>, diagnostic: &Diagnostic) -> Option<PurposeTokenError> {
    let known = &file.context.purposes;
    if diagnostic.code != Code::UnknownPurpose || known.is_empty() {
        return None;
    }
    let value = std::str::from_utf8(diagnostic.span.of(file.text())).ok()?;
    let token = PurposeToken::new(value).ok()?;
    let known = known.iter().map(PurposeToken::as_str);
    Some(PurposeTokenError::unregistered(token.as_str(), known))
}

/// How much a finding of the engine about a robots.txt matters, as the linter reports it.
///
/// ```
/// use abide::{Client, ProductToken, Robots, Severity};
/// let robots = Robots::parse(b"User-agent: MJ12bot\nDisallow: /\n");
/// let client = Client::new(ProductToken::new("f")?);
/// let found = robots.diagnostics(&client);
/// // The name is right, although it is not a product token.
/// assert_eq!(abide_lint::severity(&robots, &found[0]), Severity::Info);
/// # Ok::<(), abide::ProductTokenError>(())
/// ```
#[must_use]
pub fn severity(robots: &Robots, diagnostic: &Diagnostic) -> Severity {
    let is_name = || is_most_likely_a_name(robots.text().as_bytes(), diagnostic);
    if diagnostic.code == Code::UaInvalidToken && is_name() {
        return Severity::Info;
    }
    diagnostic.severity
}

/// Whether no known robot is missed because of what a `User-agent` value has beside a name. The
/// name of a known robot is right even if it is not a product token. So is most likely any other
/// name, such as `Offline Explorer` or `LWP::Simple`: its robot may match it, and whoever copied it
/// from a list loses nothing. A known robot behind the name that robots read is a mistake.
fn is_most_likely_a_name(text: &[u8], diagnostic: &Diagnostic) -> bool {
    let name = String::from_utf8_lossy(diagnostic.span.of(text));
    // A blank belongs to a name, as in `Yahoo! Slurp`.
    let begins_well = name.starts_with(|first: char| first.is_ascii_alphanumeric());
    let is_one = begins_well && !name.contains([',', ';', '|', ':']);
    if is_one || crawlers::known(&name).is_some() {
        return true;
    }
    // In `* ExampleBot`, the `*` is every robot.
    if name.starts_with('*') {
        return false;
    }
    // A comment in parentheses is part of a whole `User-Agent` line.
    let own = name.split(['(', '[']).next().unwrap_or_default();
    let mut parts = own.split(|found: char| !found.is_ascii_alphabetic() && !"-_".contains(found));
    let read = parts.next().unwrap_or_default();
    let is_missed =
        |part: &str| !part.eq_ignore_ascii_case(read) && crawlers::known(part).is_some();
    !(name.is_empty() || parts.any(is_missed))
}

/// Whether the finding is a conflict of preferences that a decision without the response has too:
/// one of `alone`.
fn is_conflict_of(alone: &[Diagnostic], diagnostic: &Diagnostic) -> bool {
    let is_conflict = diagnostic.code == Code::PreferencesConflict;
    is_conflict && alone.contains(diagnostic)
}

/// The product tokens that the groups of a robots.txt name.
fn robots_named(robots: &Robots) -> BTreeSet<String> {
    let lines = robots.lines().iter();
    let named = lines.filter_map(|line| match robots.addressee(line)? {
        Addressee::Token(token) => Some(token.to_ascii_lowercase()),
        _ => None,
    });
    named.collect()
}

/// The product tokens that a response addresses. A field has rules for any robot; most meta
/// elements are not for robots, so their names count if they are those of robots: known ones, and
/// those that the robots.txt names.
fn robots_addressed<'r>(response: &'r Response, named: &BTreeSet<String>) -> BTreeSet<&'r str> {
    let is_robot = |token: &str| {
        crawlers::known(token).is_some() || named.contains(&token.to_ascii_lowercase())
    };
    let statements = response.statements().iter();
    let tokens = statements.filter_map(|statement| match &statement.scope {
        Scope::Token(token) if statement.source.is_meta() => is_robot(token).then_some(&**token),
        Scope::Token(token) => Some(token.as_str()),
        _ => None,
    });
    tokens.collect()
}

fn is_about_hidden_noindex(finding: &Finding) -> bool {
    finding.rule.code() == Code::NoindexBehindDisallow.name()
}

/// The finding about a `noindex` that single robots never see, because the robots.txt disallows the
/// page for them. A `noindex` does not matter to a known robot that is not for search. Only a
/// hostile file names many robots.
fn hidden_noindex(
    robots_txt: &[u8],
    named: &BTreeSet<String>,
    target: &Target<'_>,
) -> Option<Diagnostic> {
    const MAX_TOKENS: usize = 200;
    const MAX_SHOWN: usize = 3;
    let hides = |token: &&String| {
        ProductToken::nonstandard(token).is_ok_and(|token| {
            let policy = Policy::compile(robots_txt, &Client::new(token));
            let found = policy.diagnostics_of(&policy.decide(target));
            found
                .iter()
                .any(|one| one.code == Code::NoindexBehindDisallow)
        })
    };
    let searches = |token: &&String| crawlers::known(token).is_none_or(KnownRobot::searches);
    let searching = named.iter().filter(searches);
    let blind: Vec<_> = searching.take(MAX_TOKENS).filter(hides).collect();
    let shown: Vec<_> = blind.iter().map(|token| shown_name(token)).collect();
    let never = match shown.len() {
        0 => return None,
        1 => "it never sees its noindex",
        _ => "they never see its noindex",
    };
    let robots = enumerated(&shown, MAX_SHOWN);
    let message =
        format!("{robots} may not fetch this page, so {never}; the URL can still be indexed");
    Some(Diagnostic::new(
        Code::NoindexBehindDisallow,
        None,
        Span::default(),
        message,
    ))
}

/// The name of a robot as its operator writes it, if it is known.
fn shown_name(token: &str) -> String {
    let known = crawlers::known(token).map(|robot| robot.token.to_owned());
    known.unwrap_or_else(|| token.to_owned())
}

/// The token that no file names.
fn nobody() -> Client {
    #[expect(clippy::unwrap_used, reason = "the token is well-formed")]
    Client::new(ProductToken::new("abide-lint").unwrap())
}

/// The client that reads the file: one with every known purpose, that asks for AI preferences and
/// for every known control token.
fn reader(robots: &Robots, context: &Context) -> Client {
    let known = abide_known_robots::all().iter();
    let mut client = nobody().with_preferences(PreferenceProfile {
        control_tokens: known.filter_map(KnownRobot::control_token).collect(),
        ..PreferenceProfile::default()
    });
    if context.purposes.is_empty() {
        let named: BTreeSet<&str> = robots
            .lines()
            .iter()
            .filter_map(|line| match robots.addressee(line)? {
                Addressee::Purpose(purpose) => Some(purpose),
                _ => None,
            })
            .collect();
        for purpose in named.into_iter().flat_map(PurposeToken::new) {
            client = client.with_purpose(purpose);
        }
    }
    for purpose in &context.purposes {
        client = client.with_purpose(purpose.clone());
    }
    if let Some(registry) = &context.registry {
        client = client.with_registry(Arc::clone(registry));
    }
    client
}

/// No fix is safe in a file that the parsing limit cuts, because inserted or removed bytes move
/// rules across the limit. There is no fix at all if writing the decoded text back would change
/// something else.
fn guard_the_limit(file: &File<'_>, findings: &mut [Finding]) {
    let text = file.robots.text();
    let is_utf16 = matches!(text.encoding(), Encoding::Utf16Le | Encoding::Utf16Be);
    let has_second_mark = text.as_bytes().starts_with("\u{feff}".as_bytes());
    let is_beyond_repair = is_utf16 && (text.is_truncated() || has_second_mark);
    for finding in findings {
        if is_beyond_repair {
            finding.fix = None;
        } else if text.is_truncated()
            && let Some(fix) = &mut finding.fix
        {
            fix.safety = Safety::Unsafe;
        }
    }
}

/// No fix changes a byte of the comment that reserves rights with Content Signals (PREF-66).
fn guard_legal_comments(file: &File<'_>, findings: &mut [Finding]) {
    let legal = LegalComments::of(file.robots);
    for finding in findings {
        let changes = |fix: &Fix| legal.are_changed_by(fix);
        if finding.fix.as_ref().is_some_and(changes) {
            finding.fix = None;
        }
    }
}

/// Keeps as safe only the fixes after which the file provably means the same. `None` if it ended
/// early.
fn prove(file: &File<'_>, findings: &mut [Finding], goes_on: GoesOn<'_>) -> Option<()> {
    let prover = Prover::new(file);
    let fixes = findings
        .iter_mut()
        .filter_map(|finding| finding.fix.as_mut());
    for fix in fixes.filter(|fix| fix.safety == Safety::Safe) {
        if !goes_on() {
            return None;
        }
        if !prover.proves(fix, goes_on) {
            fix.safety = Safety::Unsafe;
        }
    }
    Some(())
}

/// Keeps only what matters about a file that is not a robots.txt: that it is none. One without
/// fields may have misspelt ones, or all of its lines in curly quotes.
fn keep_what_matters(file: &File<'_>, findings: &mut Vec<Finding>) {
    let body = file.robots.foreign_body().map(|body| body.code().name());
    let codes = match &body {
        Some(code) => std::slice::from_ref(code),
        None if file.has_no_fields() => &[
            "no-fields",
            "misspelt-field",
            "escaped-line-ends",
            "invisible-character",
        ][..],
        None => return,
    };
    findings.retain(|finding| codes.contains(&finding.rule.code()));
    let redirected = file.context.redirected_to.as_deref();
    if let Some((body, to)) = file.robots.foreign_body().zip(redirected) {
        for finding in findings {
            finding.message = safe(format!(
                "redirected to {to}, which is {body}: robots find no rules, and may crawl the whole site"
            ));
        }
    }
}

/// Removes findings that repeat what another finding says better.
fn without_superfluous(findings: &mut Vec<Finding>) {
    let mut better: BTreeMap<Option<u32>, BTreeSet<&str>> = BTreeMap::new();
    for finding in findings.iter() {
        let codes = better.entry(finding.line).or_default();
        codes.extend(finding.rule.instead_of);
    }
    let is_said = |line: &Option<u32>, finding: &Finding| {
        better
            .get(line)
            .is_some_and(|codes| codes.contains(finding.rule.code()))
    };
    findings.retain(|finding| !is_said(&None, finding) && !is_said(&finding.line, finding));
}

fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| {
        let key = |finding: &Finding| (finding.input, finding.line, finding.span);
        key(a)
            .cmp(&key(b))
            .then_with(|| a.rule.code().cmp(b.rule.code()))
    });
    findings.dedup_by(|a, b| {
        a.rule.code() == b.rule.code()
            && (a.line, a.span) == (b.line, b.span)
            && a.message == b.message
    });
}

/// The codes of all rules that are named.
pub(crate) fn named<'c>(
    codes: impl IntoIterator<Item = &'c str>,
) -> Result<BTreeSet<&'static str>, UnknownCodeError> {
    let mut found = BTreeSet::new();
    for code in codes {
        let is_named = |own: &&str| match code.strip_suffix('*') {
            Some(prefix) => own.starts_with(prefix),
            None => *own == code,
        };
        let mut named = rules::ALL
            .iter()
            .map(|rule| rule.code())
            .filter(is_named)
            .peekable();
        if named.peek().is_none() {
            return Err(UnknownCodeError::of(code));
        }
        found.extend(named);
    }
    Ok(found)
}
