//! A robots.txt compiled for one client.

use super::annex::GroupIndex;
use super::line_index::LineIndex;
use super::preference::{self, PreferenceSide};
use super::reading::field_for;
use super::scan::{AddressedGroup, Level, Scan, ScanResult, claimed, named};
use super::site::Site;
use crate::acap::{
    self, AcapSide, ActionRequest, FetchedReference, PermissionsReference, ReferenceAnswer,
};
use crate::client::Client;
use crate::diagnostic::Diagnostic;
use crate::pattern::byte_set::ByteSet;
use crate::pattern::normal::{self, Forms};
use crate::pattern::set::{Match, PatternSet};
use crate::preference::{PreferenceProfile, Vocabulary};
use crate::profile::Profile;
use crate::purpose::PurposeToken;
use crate::rep::field::{self, Content, Fields, KeyedLine};
use crate::rep::location::is_robots_txt;
use crate::rep::{Access, CrawlDelay};
use crate::text::{Lines, RawLine, Span, Text};
use crate::verdict::{Place, SelectedBy, Selection, Sense};
use std::sync::{Arc, OnceLock};

/// A robots.txt compiled for one client. Immutable, `Send + Sync`, and ready for any number of
/// URLs.
///
/// ```
/// use abide::{Client, Policy, ProductToken};
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let policy = Policy::compile(b"User-agent: *\nDisallow: /private/\n", &client);
/// assert!(policy.allows("https://example.com/public"));
/// assert!(!policy.allows("https://example.com/private/x"));
/// # Ok::<(), abide::ProductTokenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    client: Client,
    access: Access,
    text: Text<'static>,
    level: Option<Level>,
    asks_applications: bool,
    rules: PatternSet,
    crawl_delay: Option<(CrawlDelay, Place)>,
    acap: Option<Box<AcapSide>>,
    preferences: Option<Box<PreferenceSide>>,
    /// The file as it was last known, while it is unreachable.
    last_known: Option<Box<Policy>>,
    answers: Vec<ReferenceAnswer>,
    /// The site that the policy is bound to, if any.
    pub(super) site: Option<Box<Site>>,
    lines: OnceLock<LineIndex>,
    passed_over: OnceLock<Box<PatternSet>>,
    /// What is wrong with the file, once somebody asked.
    pub(crate) diagnostics: OnceLock<Box<[Diagnostic]>>,
}

impl Policy {
    /// Compiles the body of a robots.txt for `client`. Never fails: lines that cannot be read are
    /// ignored (REP-77), and [`Policy::diagnostics`] reports them.
    #[must_use]
    pub fn compile(bytes: impl AsRef<[u8]>, client: &Client) -> Self {
        Self::of_text(text_for(client, bytes.as_ref()).into_owned(), client)
    }

    /// Compiles a robots.txt as [`Policy::compile`] does, but shares `bytes` instead of copying
    /// them. Use it if you keep the file anyway, or compile it for several clients.
    ///
    /// ```
    /// use abide::{Client, Policy, ProductToken};
    /// use std::sync::Arc;
    /// let bytes: Arc<[u8]> = b"User-agent: *\nDisallow: /private/\n"[..].into();
    /// let policy = Policy::compile_shared(&bytes, &Client::new(ProductToken::new("ExampleBot")?));
    /// assert!(!policy.allows("https://example.com/private/x"));
    /// assert_eq!(Arc::strong_count(&bytes), 2);
    /// # Ok::<(), abide::ProductTokenError>(())
    /// ```
    #[must_use]
    pub fn compile_shared(bytes: &Arc<[u8]>, client: &Client) -> Self {
        Self::of_text(text_for(client, bytes).keeping(bytes), client)
    }

    pub(super) fn of_text(text: Text<'static>, client: &Client) -> Self {
        let scanned = scan_text(Scan::new(client), &text, client);
        Self::from_scan(text, scanned, client)
    }

    /// Returns the policy of a site without a file to read: one that is unavailable, unreachable or
    /// not known yet. For [`Access::Rules`] it is the policy of an empty file.
    ///
    /// ```
    /// use abide::{Client, Policy, ProductToken, rep::Access};
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// let policy = Policy::without_rules(Access::from_status(503), &client);
    /// assert!(!policy.allows("https://example.com/"));
    /// assert!(policy.allows("https://example.com/robots.txt"));
    /// # Ok::<(), abide::ProductTokenError>(())
    /// ```
    #[must_use]
    pub fn without_rules(access: Access, client: &Client) -> Self {
        Self {
            access,
            ..Self::compile(b"", client)
        }
    }

    /// Adds the last known copy of a robots.txt that is unreachable: what it prohibits for
    /// training, AI input and search stays prohibited, and everything else of them is unknown
    /// (PREF-135, CLA-PREF-15). Callers drop a copy after 30 days. It changes no other usage, and
    /// nothing for a client that does not ask for preferences.
    ///
    /// ```
    /// use abide::preference::PreferenceProfile;
    /// use abide::{Client, Outcome, Policy, ProductToken, Target, Usage, rep::Access};
    /// let client = Client::new(ProductToken::new("ExampleBot")?)
    ///     .with_preferences(PreferenceProfile::default());
    /// let policy = Policy::without_rules(Access::from_status(503), &client)
    ///     .with_last_known(b"User-agent: *\nContent-Usage: train-ai=n, search=y\n");
    /// let decision = policy.decide(&Target::new("https://e.example/x")?);
    /// assert_eq!(decision.outcome(Usage::Train), Outcome::Prohibited);
    /// assert_eq!(decision.outcome(Usage::Search), Outcome::Unknown);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_last_known(mut self, bytes: impl AsRef<[u8]>) -> Self {
        let counts = self.preferences.is_some() && matches!(self.access, Access::Unreachable(_));
        self.last_known = counts.then(|| Box::new(Self::compile(bytes, &self.client)));
        self
    }

    /// Narrows the vocabularies of AI preferences that count to `vocabularies`, of those that the
    /// client asks for. The client then names them (see [`PreferenceProfile::vocabularies`]).
    /// Nothing is compiled again.
    ///
    /// ```
    /// use abide::preference::{PreferenceProfile, Vocabulary};
    /// use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
    /// let client = Client::new(ProductToken::new("ExampleBot")?)
    ///     .with_preferences(PreferenceProfile::default());
    /// let policy = Policy::compile(b"User-agent: *\nContent-Signal: ai-train=no\n", &client);
    /// let target = Target::new("https://e.example/x")?;
    /// assert_eq!(policy.decide(&target).outcome(Usage::Train), Outcome::Prohibited);
    /// let narrowed = policy.with_vocabularies(&[Vocabulary::ContentUsage]);
    /// assert_eq!(narrowed.decide(&target).outcome(Usage::Train), Outcome::Unspecified);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_vocabularies(mut self, vocabularies: &[Vocabulary]) -> Self {
        if let Some(profile) = self.client.preferences() {
            let mut named = vocabularies.to_vec();
            named.retain(|vocabulary| profile.asks(*vocabulary));
            let profile = PreferenceProfile {
                vocabularies: Some(named),
                ..profile.clone()
            };
            self.client = self.client.with_preferences(profile);
            self.diagnostics = OnceLock::new();
        }
        self
    }

    /// The file as it was last known, while it is unreachable.
    pub(crate) fn last_known(&self) -> Option<&Policy> {
        self.last_known.as_deref()
    }

    /// Adds the files that permissions references name, by their locators as the robots.txt writes
    /// them (ACAP-38, AMB-ACAP-14). Locators that are not in the robots.txt change nothing. Until
    /// the file of a reference is added, usages that it may decide are unknown.
    ///
    /// ```
    /// use abide::acap::FetchedReference;
    /// use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
    /// let client = Client::new(ProductToken::new("SearchBot")?);
    /// let robots_txt = b"ACAP-crawler: searchbot\nACAP-permissions-reference: /searchbot.txt\n";
    /// let policy = Policy::compile(robots_txt, &client);
    /// let target = Target::new("https://e.example/x")?;
    /// assert_eq!(policy.decide(&target).needs, ["https://e.example/searchbot.txt"]);
    ///
    /// let policy = policy.with_references([(
    ///     "/searchbot.txt",
    ///     FetchedReference::Bytes(b"ACAP-crawler: *\nACAP-disallow-index: /x\n"),
    /// )]);
    /// assert_eq!(policy.decide(&target).outcome(Usage::Index), Outcome::Prohibited);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_references<'r>(
        mut self,
        references: impl IntoIterator<Item = (&'r str, FetchedReference<'r>)>,
    ) -> Self {
        let limits = self.client.limits();
        let answers = references
            .into_iter()
            .map(|(locator, referenced)| ReferenceAnswer::new(locator, referenced, limits));
        let known = self.answers.len();
        self.answers.extend(answers);
        if self.acap.is_some() && self.answers.len() > known {
            self.acap = acap::recompile(&self.text, self.client.for_acap(), &self.answers);
            self.diagnostics = OnceLock::new();
        }
        self
    }

    fn from_scan(text: Text<'static>, scanned: ScanResult, client: &Client) -> Self {
        let acap = acap::compile(&scanned.acap, &text, client.for_acap(), &[]);
        let preferences = preference::compile(&text, client);
        Self::of_parts(text, scanned, client, (acap, preferences))
    }

    /// Of what a scan found, with what ACAP records and preferences say.
    pub(super) fn of_parts(
        text: Text<'static>,
        scanned: ScanResult,
        client: &Client,
        (acap, preferences): (Option<Box<AcapSide>>, Option<Box<PreferenceSide>>),
    ) -> Self {
        Self {
            client: client.clone(),
            access: Access::Rules,
            acap,
            preferences,
            last_known: None,
            answers: Vec::new(),
            site: None,
            text,
            level: scanned.level,
            asks_applications: scanned.asks_applications,
            rules: scanned
                .rules
                .build(&GroupIndex::write(&scanned.groups, &scanned.sitemaps)),
            crawl_delay: scanned.crawl_delay,
            lines: OnceLock::new(),
            passed_over: OnceLock::new(),
            diagnostics: OnceLock::new(),
        }
    }

    /// The policy without evidence from groups that a better match sets aside. They would be read
    /// from the whole text, which costs too much for each of thousands of clients.
    pub(super) fn without_passed_over(self) -> Self {
        let passed_over = OnceLock::from(Box::default());
        Self {
            passed_over,
            ..self
        }
    }

    /// The policy, which finds lines by `lines`.
    pub(super) fn with_lines(self, lines: LineIndex) -> Self {
        let lines = OnceLock::from(lines);
        Self { lines, ..self }
    }

    /// The permissions references that concern the client, in the order of the file (ACAP-38).
    #[must_use]
    pub fn references(&self) -> &[PermissionsReference] {
        self.acap().map_or(&[], AcapSide::references)
    }

    /// What the file asks the client to do with single resources, such as to remove them, in the
    /// order of files and lines (ACAP-117). abide only lists these requests.
    #[must_use]
    pub fn action_requests(&self) -> &[ActionRequest] {
        self.acap().map_or(&[], AcapSide::requests)
    }

    #[inline]
    pub(crate) fn acap(&self) -> Option<&AcapSide> {
        self.acap.as_deref()
    }

    /// The preferences that the file states, if the client asks for any.
    pub(crate) fn preferences(&self) -> Option<&PreferenceSide> {
        self.preferences.as_deref()
    }

    /// The conventional rules that count for the client.
    #[inline]
    pub(crate) fn rules(&self) -> &PatternSet {
        &self.rules
    }

    /// Whether the file asks anything of applications.
    pub(crate) fn asks_applications(&self) -> bool {
        self.asks_applications
    }

    /// The client that the policy was compiled for.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Whether there is a file, and if not, why.
    #[must_use]
    #[inline]
    pub fn access(&self) -> Access {
        self.access
    }

    /// The decoded text. Spans in evidence are offsets into it.
    #[must_use]
    pub fn text(&self) -> &Text<'static> {
        &self.text
    }

    /// The values of all `Sitemap` records, in file order (REP-63).
    pub fn sitemaps(&self) -> impl Iterator<Item = &[u8]> {
        self.annex()
            .sitemaps()
            .map(|place| place.span.of(self.text.as_bytes()))
    }

    /// The `Crawl-delay` of the chosen groups, and its place. If there are several, the longest
    /// one.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<(CrawlDelay, Place)> {
        self.crawl_delay
    }

    /// The groups whose rules count for the client, by the lines that selected them, in file order.
    /// Empty if no group addresses the client.
    #[must_use]
    pub fn chosen_groups(&self) -> Vec<Selection<'_>> {
        self.chosen().collect()
    }

    /// Like [`Policy::chosen_groups`], one by one.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = Selection<'_>> {
        let groups = self.annex().groups();
        let chosen = groups.filter(|group| Some(group.level) == self.level);
        chosen.map(|group| self.selection(&group))
    }

    /// The groups that also address the client but lose to a better match, one by one.
    pub(super) fn passed_over(&self) -> impl Iterator<Item = Selection<'_>> {
        let groups = self.annex().groups();
        let others = groups.filter(|group| Some(group.level) != self.level);
        others.map(|group| self.selection(&group))
    }

    /// How many bytes the compiled rules take, without the text.
    pub(super) fn compiled_size(&self) -> usize {
        size_of::<Self>()
            .saturating_add(self.rules.memory())
            .saturating_add(self.acap().map_or(0, AcapSide::memory))
            .saturating_add(self.preferences().map_or(0, PreferenceSide::memory))
            .saturating_add(self.last_known().map_or(0, Self::compiled_size))
            .saturating_add(self.site_memory())
    }

    /// The rules that count and match `path`, strongest first, and in file order if equally strong.
    pub(crate) fn matching(&self, path: &Forms<'_>) -> Vec<Match> {
        self.rules.all(path)
    }

    /// The first of the rules that count and match `path`: the one that decides about crawling.
    /// `None` also without a file, and where robots.txt itself is exempt from the rules.
    pub(crate) fn deciding(&self, path: &Forms<'_>) -> Option<Match> {
        let has_rules = self.access == Access::Rules && !self.is_exempt(&path.c1);
        has_rules.then(|| self.rules.first(path)).flatten()
    }

    /// The conventional rule that disallows crawling `path`, if the deciding one does (AMB-PREF-4).
    pub(crate) fn disallowing(&self, path: &Forms<'_>) -> Option<Match> {
        let deciding = self.deciding(path);
        deciding.filter(|rule| rule.sense == Sense::Disallow)
    }

    /// The rules that match `path` in groups that address the client and that a better match of the
    /// client sets aside. They are compiled when first asked for.
    pub(crate) fn matching_passed_over(&self, path: &Forms<'_>) -> Vec<Match> {
        let is_weaker = |level| self.annex().groups().any(|group| group.level > level);
        let Some(level) = self.level.filter(|level| is_weaker(*level)) else {
            return Vec::new();
        };
        let compile = || {
            let scan = Scan::passed_over(&self.client, level);
            let scanned = scan_text(scan, &self.text, &self.client);
            Box::new(scanned.rules.build(&[]))
        };
        self.passed_over.get_or_init(compile).all(path)
    }

    /// The canonical forms of a path, in which the rules are compared.
    pub(crate) fn normalise<'t>(&self, path: &'t [u8]) -> Forms<'t> {
        normalise(path, ByteSet::of(path), self.client.profile())
    }

    /// Whether a path is the robots.txt itself, which may always be fetched (REP-46). The google
    /// profile applies rules to it too, if there are any.
    pub(crate) fn is_exempt(&self, c1: &[u8]) -> bool {
        is_robots_txt(c1)
            && (self.client.profile() == Profile::Careful || self.access != Access::Rules)
    }

    /// The group of the rule on line `line`.
    pub(crate) fn group_of(&self, line: u32) -> Option<Selection<'_>> {
        self.annex()
            .group_of(line)
            .map(|group| self.selection(&group))
    }

    pub(super) fn annex(&self) -> GroupIndex<'_> {
        GroupIndex::read(self.rules.annex())
    }

    fn selection<'p>(&'p self, group: &AddressedGroup) -> Selection<'p> {
        selection(&self.client, self.text.as_bytes(), group)
    }

    /// The place of the field on line `line`: from key to value, without spaces around it and
    /// without comment.
    pub(crate) fn statement_place(&self, line: u32) -> Place {
        self.line(line).map_or(
            Place {
                line,
                span: Span::default(),
            },
            |raw| self.place_of(&raw),
        )
    }

    /// The place of the field on a line.
    fn place_of(&self, raw: &RawLine) -> Place {
        let span = match self.content(raw) {
            Content::Field(field) => Span::new(field.key.start, field.value.end),
            Content::Blank | Content::Unreadable => raw.span,
        };
        let line = raw.number;
        Place { line, span }
    }

    /// The value of the field on line `line`, as written; empty if there is none.
    pub(crate) fn value_of(&self, line: u32) -> &[u8] {
        match self.line(line).map(|raw| self.content(&raw)) {
            Some(Content::Field(field)) => field.value.of(self.text.as_bytes()),
            _ => b"",
        }
    }

    fn line(&self, number: u32) -> Option<RawLine> {
        let lines = self.lines.get_or_init(|| LineIndex::new(&self.text));
        lines.line(number, self.text.as_bytes())
    }

    fn content(&self, raw: &RawLine) -> Content {
        field::read(self.text.as_bytes(), raw, self.client.profile()).0
    }
}

/// How a group addresses the client.
pub(super) fn selection<'c>(
    client: &'c Client,
    text: &[u8],
    group: &AddressedGroup,
) -> Selection<'c> {
    let value = group.starter.span.of(text);
    let token = || named(client, value).map(|(_, token)| token.as_str());
    let purpose = || claimed(client, value).map(PurposeToken::as_str);
    let known = |token: Option<&'c str>| {
        debug_assert!(token.is_some(), "a group that was chosen names the client");
        token.unwrap_or_default()
    };
    let by = match group.level {
        Level::ANY => SelectedBy::AnyCrawler,
        level if level == Level::purpose(client) => SelectedBy::Purpose(known(purpose())),
        _ => SelectedBy::ProductToken(known(token())),
    };
    let Place { line, span } = group.starter;
    Selection {
        by,
        place: Place {
            line,
            span: Span::new(group.key, span.end),
        },
    }
}

/// The canonical forms of a path with the bytes `set`, in the reading of `reading`.
pub(crate) fn normalise(path: &[u8], set: ByteSet, reading: Profile) -> Forms<'_> {
    match reading {
        Profile::Careful => normal::target_of(path, set),
        Profile::Google => Forms {
            c1: path.into(),
            c2: None,
        },
    }
}

/// The text of a file, decoded and cut as the client reads it.
pub(crate) fn text_for<'o>(client: &Client, bytes: &'o [u8]) -> Text<'o> {
    let limits = client.limits();
    match client.profile() {
        Profile::Careful => Text::new(bytes, limits),
        Profile::Google => Text::google(bytes, limits),
    }
}

/// Runs `scan` over every line of `text` with a known key.
pub(super) fn scan_text(mut scan: Scan<'_>, text: &Text<'_>, client: &Client) -> ScanResult {
    let (bytes, reading) = (text.as_bytes(), client.profile());
    scan.reserve_for_text(bytes.len());
    // Lines with unknown keys matter to some readings. Read apart, so that the pass below stays as
    // fast as it is without readings.
    if !client.chosen_readings().is_empty() {
        Fields::new(text, reading).for_each(|line| {
            if let Content::Field(field) = line.content {
                scan.field(&field_for(client, field, bytes), line.raw.number, bytes);
            }
        });
        return scan.finish();
    }
    Lines::new(bytes, text.body()).for_each(|raw| {
        let Some(keyed) = KeyedLine::new(bytes, &raw, reading) else {
            return;
        };
        if !scan.takes_rule(&keyed)
            && let Some(field) = keyed.field(bytes, &raw, reading)
        {
            scan.field(&field, raw.number, bytes);
        }
    });
    scan.finish()
}
