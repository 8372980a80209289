//! A robots.txt compiled for one client.

use super::acap::{self, AcapSide, Answer};
use super::annex::Annex;
use super::line_index::LineIndex;
use super::scan::{AddressedGroup, Level, Scan, Scanned, claimed, named};
use super::uncompiled::ReadFor;
use crate::acap::{ActionRequest, PermissionsReference, Referenced};
use crate::client::Client;
use crate::decide::{self, Decision};
use crate::diagnostic::{self, Diagnostic};
use crate::pattern::normal::{self, Forms, Scratch};
use crate::pattern::octet_set::OctetSet;
use crate::pattern::set::{PatternSet, Sought};
use crate::pattern::{Target, target};
use crate::profile::Profile;
use crate::purpose::PurposeToken;
use crate::rep::field::{self, Content, Keyed};
use crate::rep::location::is_robots_txt;
use crate::rep::{Access, CrawlDelay};
use crate::text::{Lines, RawLine, Span, Text};
use crate::verdict::{Place, SelectedBy, Selection, Sense};
use std::sync::{Arc, OnceLock};

/// What a robots.txt asks of one client: immutable, `Send + Sync`, ready for any number of URLs.
///
/// ```
/// use abide::{Client, Policy, ProductToken};
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let policy = Policy::compile(b"User-agent: *\nDisallow: /private/\n", &client);
/// assert!(policy.allows("https://example.com/public"));
/// assert!(!policy.allows("https://example.com/private/x"));
/// # Ok::<(), abide::InvalidProductToken>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    pub(super) client: Client,
    access: Access,
    pub(super) text: Text<'static>,
    pub(super) level: Option<Level>,
    asks_applications: bool,
    /// Where `rules` has not all rules that count, the path that it has them for.
    pub(super) read_for: Option<Box<ReadFor>>,
    pub(super) rules: PatternSet,
    crawl_delay: Option<(CrawlDelay, Place)>,
    acap: Option<Box<AcapSide>>,
    answers: Vec<Answer>,
    lines: OnceLock<LineIndex>,
    pub(super) passed_over: OnceLock<Box<PatternSet>>,
    diagnostics: OnceLock<Box<[Diagnostic]>>,
}

impl Policy {
    /// Compiles the body of a robots.txt for `client`. Never fails: whatever cannot be read is left
    /// out (REP-77), and [`Policy::diagnostics`] tells of it.
    #[must_use]
    pub fn compile(octets: &[u8], client: &Client) -> Self {
        Self::of_text(text_for(client, octets).into_owned(), client)
    }

    /// The same, keeping `octets` in place of a copy of them: for those who keep them anyway, or compile them for
    /// several clients.
    ///
    /// ```
    /// use abide::{Client, Policy, ProductToken};
    /// use std::sync::Arc;
    /// let octets: Arc<[u8]> = b"User-agent: *\nDisallow: /private/\n"[..].into();
    /// let policy = Policy::compile_shared(&octets, &Client::new(ProductToken::new("ExampleBot")?));
    /// assert!(!policy.allows("https://example.com/private/x"));
    /// assert_eq!(Arc::strong_count(&octets), 2);
    /// # Ok::<(), abide::InvalidProductToken>(())
    /// ```
    #[must_use]
    pub fn compile_shared(octets: &Arc<[u8]>, client: &Client) -> Self {
        Self::of_text(text_for(client, octets).keeping(octets), client)
    }

    fn of_text(text: Text<'static>, client: &Client) -> Self {
        let scanned = scan_text(Scan::new(client), &text, client);
        Self::from_scan(text, scanned, client)
    }

    /// The policy that follows from a robots.txt without rules to read: because it is unavailable,
    /// unreachable or not known yet. For [`Access::Rules`] it is that of an empty file.
    ///
    /// ```
    /// use abide::{Client, Policy, ProductToken, rep::Access};
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// let policy = Policy::without_rules(Access::from_status(503), &client);
    /// assert!(!policy.allows("https://example.com/"));
    /// assert!(policy.allows("https://example.com/robots.txt"));
    /// # Ok::<(), abide::InvalidProductToken>(())
    /// ```
    #[must_use]
    pub fn without_rules(access: Access, client: &Client) -> Self {
        Self {
            access,
            ..Self::compile(b"", client)
        }
    }

    /// Adds what came of fetching permissions references, by their locators as the file writes them
    /// (ACAP-38, AMB-ACAP-14). Locators that the file does not have change nothing. Until it is added,
    /// what ACAP says to a client that a reference concerns is unknown.
    ///
    /// ```
    /// use abide::acap::Referenced;
    /// use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
    /// let client = Client::new(ProductToken::new("SearchBot")?);
    /// let robots_txt = b"ACAP-crawler: searchbot\nACAP-permissions-reference: /searchbot.txt\n";
    /// let policy = Policy::compile(robots_txt, &client);
    /// let target = Target::new("https://e.example/x")?;
    /// assert_eq!(policy.decide(&target).needs, ["https://e.example/searchbot.txt"]);
    ///
    /// let policy = policy.with_references([(
    ///     "/searchbot.txt",
    ///     Referenced::Octets(b"ACAP-crawler: *\nACAP-disallow-index: /x\n"),
    /// )]);
    /// assert_eq!(policy.decide(&target).outcome(Usage::Index), Outcome::Prohibited);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_references<'r>(
        mut self,
        references: impl IntoIterator<Item = (&'r str, Referenced<'r>)>,
    ) -> Self {
        let limits = self.client.parsing_limit();
        let answers = references
            .into_iter()
            .map(|(locator, referenced)| Answer::new(locator, referenced, limits));
        let known = self.answers.len();
        self.answers.extend(answers);
        if self.acap.is_some() && self.answers.len() > known {
            self.acap = acap::recompile(&self.text, &self.client, &self.answers);
            self.diagnostics = OnceLock::new();
        }
        self
    }

    pub(crate) fn from_scan(text: Text<'static>, scanned: Scanned, client: &Client) -> Self {
        let acap = acap::compile(&scanned.acap, &text, client, &[]);
        Self {
            client: client.clone(),
            access: Access::Rules,
            acap,
            answers: Vec::new(),
            text,
            level: scanned.level,
            asks_applications: scanned.asks_applications,
            read_for: None,
            rules: scanned
                .rules
                .build(&Annex::write(&scanned.groups, &scanned.sitemaps)),
            crawl_delay: scanned.crawl_delay,
            lines: OnceLock::new(),
            passed_over: OnceLock::new(),
            diagnostics: OnceLock::new(),
        }
    }

    /// Whether the client may fetch `url`, an absolute URL or a path with query. The same answer as
    /// [`Policy::decide`] gives for crawl, without evidence, and without allocating where the URL is
    /// in form C1 and C2 already (see [`pattern::normal`](crate::pattern::normal)).
    ///
    /// Text that is no target is not allowed, and neither is anything while the robots.txt is not
    /// known. The google profile takes any text for a URL, as its model does.
    #[must_use]
    #[inline]
    pub fn allows(&self, url: &str) -> bool {
        match target::plain_start(url) {
            Some(start) if self.client.reading() == Profile::Careful => {
                let path = self.rules.seek_end(url.as_bytes(), start);
                if path.set().has_hash() {
                    self.allows_any(url)
                } else {
                    self.allows_path(url, path)
                }
            }
            _ => self.allows_any(url),
        }
    }

    /// The same for text that is no URL as most are, and in the reading of the google profile.
    #[inline(never)]
    fn allows_any(&self, url: &str) -> bool {
        let reading = self.client.reading();
        target::requested(url, reading).is_some_and(|(path, set)| {
            let path = self.rules.seek(&path, set);
            match reading {
                Profile::Careful => self.allows_path(url, path),
                Profile::Google => self.allows_forms(url, path, None),
            }
        })
    }

    /// The same for a path in the careful reading.
    #[inline]
    fn allows_path(&self, url: &str, path: Sought<'_>) -> bool {
        let (octets, set) = (path.octets(), path.set());
        if set.may_change_in_target() || self.wants_c2(octets, set) {
            self.allows_rewritten(url, path)
        } else {
            self.allows_forms(url, path, None)
        }
    }

    /// Whether form C2 of a path in form C1 differs from it and can matter.
    #[inline]
    fn wants_c2(&self, c1: &[u8], set: OctetSet) -> bool {
        (self.rules.reads_c2(set) || !self.has_rules_alone()) && normal::differs_in_c2(c1, set)
    }

    /// Whether nothing but the conventional rules in their careful reading has a say in what may be fetched.
    #[inline]
    fn has_rules_alone(&self) -> bool {
        self.access == Access::Rules
            && self.acap.is_none()
            && self.read_for.is_none()
            && self.client.reading() == Profile::Careful
    }

    /// The same for a path that is not in both forms as it stands.
    #[inline(never)]
    fn allows_rewritten(&self, url: &str, path: Sought<'_>) -> bool {
        if !path.set().may_change_in_target() {
            return self.allows_in_both(url, path);
        }
        let mut room = Scratch::new();
        let (c1, set) = room.target_c1(path.octets(), path.set());
        let path = self.rules.seek(c1, set);
        if self.wants_c2(c1, set) {
            self.allows_in_both(url, path)
        } else {
            self.allows_forms(url, path, None)
        }
    }

    /// The same for a path in form C1 whose form C2 is another.
    #[inline(never)]
    fn allows_in_both(&self, url: &str, c1: Sought<'_>) -> bool {
        let mut room = Scratch::new();
        self.allows_forms(url, c1, Some(room.c2(c1.octets())))
    }

    /// The same for a path in form C1, and in form C2 where that is another and can matter.
    #[inline]
    fn allows_forms(&self, url: &str, c1: Sought<'_>, c2: Option<&[u8]>) -> bool {
        if self.has_rules_alone() {
            return self.is_exempt(c1.octets()) || self.rules.allows(c1, c2);
        }
        self.is_exempt(c1.octets()) || self.allows_by_all(url, c1, c2)
    }

    /// The same for a path that is not the robots.txt itself, where others than the rules may have a say.
    #[inline(never)]
    fn allows_by_all(&self, url: &str, c1: Sought<'_>, c2: Option<&[u8]>) -> bool {
        let forms = || Forms {
            c1: c1.octets().into(),
            c2: c2.map(<[u8]>::to_vec),
        };
        match self.access {
            Access::Rules if self.acap().is_some_and(AcapSide::concerns_crawl) => {
                decide::may_crawl(self, url, &forms())
            }
            Access::Rules if self.read_for.is_some() => {
                let best = self.matching(&forms()).into_iter().next();
                best.is_none_or(|rule| rule.sense == Sense::Allow)
            }
            Access::Unavailable(_) => true,
            Access::Unreachable(_) | Access::Unknown => false,
            Access::Rules => self.rules.allows(c1, c2),
        }
    }

    /// The whole answer for `target`: an outcome for every usage, with evidence. It borrows from both.
    #[must_use]
    pub fn decide<'p>(&'p self, target: &Target<'p>) -> Decision<'p> {
        decide::decide(self, target)
    }

    /// Everything that the file shows to be wrong or odd, in the order of lines (CLA-17). Computed
    /// when first asked for.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| {
            let reading = self.client.reading();
            let (text, client) = (&self.text, &self.client);
            let has_acap_record = self.acap().map(|side| side.policy.has_record);
            let mut found = if let Some(lines) = self.noticed() {
                diagnostic::robots_txt(text, lines, reading, client, has_acap_record)
            } else {
                let lines = Lines::new(text.octets(), text.body());
                diagnostic::robots_txt(text, lines, reading, client, has_acap_record)
            };
            if let Some(side) = self.acap() {
                found.extend(acap::findings_of_references(&self.text, side));
            }
            found.into_boxed_slice()
        })
    }

    /// The permissions references that concern the client, in the order of the file (ACAP-38).
    #[must_use]
    pub fn references(&self) -> &[PermissionsReference] {
        self.acap().map_or(&[], |side| &side.policy.references)
    }

    /// What the file asks the client to do with single resources, in the order of files and lines
    /// (ACAP-117). Nobody here does it.
    #[must_use]
    pub fn action_requests(&self) -> &[ActionRequest] {
        self.acap().map_or(&[], |side| &side.policy.requests)
    }

    pub(crate) fn acap(&self) -> Option<&AcapSide> {
        self.acap.as_deref()
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

    /// What came of fetching the file.
    #[must_use]
    pub fn access(&self) -> Access {
        self.access
    }

    /// The decoded text that spans in evidence point into.
    #[must_use]
    pub fn text(&self) -> &Text<'static> {
        &self.text
    }

    /// The values of all `Sitemap` records, in file order (REP-63).
    pub fn sitemaps(&self) -> impl Iterator<Item = &[u8]> {
        self.annex()
            .sitemaps()
            .map(|place| place.span.of(self.text.octets()))
    }

    /// The `Crawl-delay` of the chosen group, the longest where there are several, and its place.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<(CrawlDelay, Place)> {
        self.crawl_delay
    }

    /// The groups whose rules count for the client, by the starter lines that chose them, in file
    /// order. Empty where no group addresses it.
    #[must_use]
    pub fn chosen_groups(&self) -> Vec<Selection<'_>> {
        self.chosen().collect()
    }

    /// The same, one after the other.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = Selection<'_>> {
        let groups = self.annex().groups();
        let chosen = groups.filter(|group| Some(group.level) == self.level);
        chosen.map(|group| self.selection(&group))
    }

    /// The groups that address the client too, and that a better match sets aside (REP-29, PUR-9), by the
    /// starter lines that would have chosen them, in file order.
    #[must_use]
    pub fn passed_over_groups(&self) -> Vec<Selection<'_>> {
        self.annex()
            .groups()
            .filter(|group| Some(group.level) != self.level)
            .map(|group| self.selection(&group))
            .collect()
    }

    /// Octets of memory that the compiled form takes, without the text itself and without what is
    /// computed on demand.
    #[must_use]
    pub fn compiled_size(&self) -> usize {
        size_of::<Self>()
            .saturating_add(self.rules.memory())
            .saturating_add(self.acap().map_or(0, |side| side.policy.memory()))
    }

    /// A target's path in the forms that the rules are compared in.
    pub(crate) fn normalise<'t>(&self, path: &'t [u8]) -> Forms<'t> {
        normalise(path, OctetSet::of(path), self.client.reading())
    }

    /// Whether `path` is the robots.txt itself, which may always be fetched (REP-46). The google
    /// profile looks at its rules all the same, but for a file that it could not read.
    pub(crate) fn is_exempt(&self, c1: &[u8]) -> bool {
        is_robots_txt(c1)
            && (self.client.reading() == Profile::Careful || self.access != Access::Rules)
    }

    /// The group that line `line`, a rule's, stands in.
    pub(crate) fn group_of(&self, line: u32) -> Option<Selection<'_>> {
        self.annex()
            .group_of(line)
            .map(|group| self.selection(&group))
    }

    pub(super) fn annex(&self) -> Annex<'_> {
        Annex::read(self.rules.annex())
    }

    fn selection(&self, group: &AddressedGroup) -> Selection<'_> {
        let value = group.starter.span.of(self.text.octets());
        let token = || named(&self.client, value).map(|(_, token)| token.as_str());
        let purpose = || claimed(&self.client, value).map(PurposeToken::as_str);
        let by = match group.level {
            Level::ANY => SelectedBy::AnyCrawler,
            Level::PURPOSE => SelectedBy::Purpose(purpose().unwrap_or_default()),
            _ => SelectedBy::ProductToken(token().unwrap_or_default()),
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

    /// The place of the field on line `line`: from key to value, without blanks and comment.
    #[must_use]
    pub fn statement(&self, line: u32) -> Place {
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

    /// The value of the field on line `line`, as written; empty where it has none.
    pub(crate) fn value_of(&self, line: u32) -> &[u8] {
        match self.line(line).map(|raw| self.content(&raw)) {
            Some(Content::Field(field)) => field.value.of(self.text.octets()),
            _ => b"",
        }
    }

    fn line(&self, number: u32) -> Option<RawLine> {
        let lines = self.lines.get_or_init(|| LineIndex::new(&self.text));
        lines.line(number, self.text.octets())
    }

    fn content(&self, raw: &RawLine) -> Content {
        field::read(self.text.octets(), raw, self.client.reading()).0
    }
}

/// A target's path of the octets `set` in the forms of `reading`.
pub(crate) fn normalise(path: &[u8], set: OctetSet, reading: Profile) -> Forms<'_> {
    match reading {
        Profile::Careful => normal::target_of(path, set),
        Profile::Google => Forms {
            c1: path.into(),
            c2: None,
        },
    }
}

/// The text of a file, as the client reads it.
pub(crate) fn text_for<'o>(client: &Client, octets: &'o [u8]) -> Text<'o> {
    let limits = client.parsing_limit();
    match client.reading() {
        Profile::Careful => Text::new(octets, limits),
        Profile::Google => Text::google(octets, limits),
    }
}

/// Takes a pass over `text`.
pub(super) fn scan_text(scan: Scan<'_>, text: &Text<'_>, client: &Client) -> Scanned {
    scan_lines(scan, text, client, |_, _| ())
}

/// The same, and shows every line of a known key to `see`.
#[inline]
pub(super) fn scan_lines(
    mut scan: Scan<'_>,
    text: &Text<'_>,
    client: &Client,
    mut see: impl FnMut(&Keyed<'_>, &RawLine),
) -> Scanned {
    let (octets, reading) = (text.octets(), client.reading());
    scan.expect(octets.len());
    Lines::new(octets, text.body()).for_each(|raw| {
        let Some(keyed) = Keyed::new(octets, &raw, reading) else {
            return;
        };
        see(&keyed, &raw);
        if !scan.takes_rule(&keyed)
            && let Some(field) = keyed.field(octets, &raw, reading)
        {
            scan.field(&field, raw.number, octets);
        }
    });
    scan.finish()
}
