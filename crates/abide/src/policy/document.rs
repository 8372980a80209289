//! A whole robots.txt: every line with its spans, and every group.

use super::compiled::{Policy, scan_text, selection};
use super::line_index::LineIndex;
use super::preference;
use super::scan::{Scan, ScanResult};
use super::starters::{Starters, Wanted, fields};
use crate::acap::{self, AcapFile};
use crate::client::Client;
use crate::preference::SignalScope;
use crate::profile::Profile;
use crate::rep::field::{Content, Field, FieldKind, Fields, ParsedLine};
use crate::rep::group::Grouping;
use crate::text::Part as _;
use crate::text::{Limits, LineEnding, Span, Text};
use crate::verdict::Selection;
use std::sync::OnceLock;

/// A robots.txt with every line and group, for tools. A crawler uses [`Policy::compile`] instead,
/// which keeps only what concerns it.
///
/// Parsing never fails (REP-77): any bytes give a value, and [`Robots::diagnostics`] reports what
/// is wrong with them.
///
/// ```
/// use abide::Robots;
/// let robots = Robots::parse(b"User-agent: *\nDisallow: /private/ # not yet\n");
/// assert_eq!(robots.lines().len(), 2);
/// assert_eq!(robots.groups().len(), 1);
/// assert_eq!(robots.to_bytes(), b"User-agent: *\nDisallow: /private/ # not yet\n");
/// ```
#[derive(Clone, Debug)]
pub struct Robots {
    text: Text<'static>,
    profile: Profile,
    lines: Vec<Line>,
    groups: Vec<Group>,
    shared: OnceLock<Shared>,
}

/// What the policies of all clients of a file share.
#[derive(Clone, Debug)]
struct Shared {
    starters: Starters,
    acap: AcapFile,
    lines: LineIndex,
}

/// A line of a robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Number of the line, from 1.
    pub number: u32,
    /// Its bytes without the line end.
    pub span: Span,
    /// What ends it.
    pub ending: LineEnding,
    /// What it holds.
    pub content: Content,
    /// Its comment, `#` included.
    pub comment: Option<Span>,
    /// The index of its group in [`Robots::groups`]. `None` before the first group, and for ACAP
    /// lines, which are not part of any group.
    pub group: Option<usize>,
}

impl Line {
    /// The field of the line, if it has one.
    #[must_use]
    pub fn field(&self) -> Option<&Field> {
        match &self.content {
            Content::Field(field) => Some(field),
            _ => None,
        }
    }
}

/// A group: starters, then rules (REP-3). Entries are indices into [`Robots::lines`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// User-agent and purpose lines, usable or not.
    pub starters: Vec<usize>,
    /// Allow, disallow and App-Directives lines, valid or not.
    pub rules: Vec<usize>,
    /// Other records in the group.
    pub others: Vec<usize>,
}

impl Robots {
    /// Parses `bytes` in the careful reading, up to the default limit of 500 KiB.
    #[must_use]
    pub fn parse(bytes: impl AsRef<[u8]>) -> Self {
        Self::parse_as(bytes, Profile::Careful, Limits::default())
    }

    /// Parses `bytes` in the reading of `profile`, up to `limits`.
    #[must_use]
    pub fn parse_as(bytes: impl AsRef<[u8]>, profile: Profile, limits: Limits) -> Self {
        let bytes = bytes.as_ref();
        let text = match profile {
            Profile::Careful => Text::new(bytes, limits),
            Profile::Google => Text::google(bytes, limits),
        };
        Self::from_text(text.into_owned(), profile)
    }

    pub(crate) fn from_text(text: Text<'static>, profile: Profile) -> Self {
        let mut robots = Self {
            lines: Vec::new(),
            groups: Vec::new(),
            profile,
            text: Text::default(),
            shared: OnceLock::new(),
        };
        let mut grouping = Grouping::default();
        Fields::new(&text, profile).for_each(|line| {
            let ParsedLine {
                raw,
                content,
                comment,
            } = line;
            let group = robots.place(&content, &mut grouping);
            let (number, span, ending) = (raw.number, raw.span, raw.ending);
            robots.lines.push(Line {
                number,
                span,
                ending,
                content,
                comment,
                group,
            });
        });
        robots.text = text;
        robots
    }

    /// The group of the next line. Adds the line to it.
    fn place(&mut self, content: &Content, grouping: &mut Grouping) -> Option<usize> {
        let line = self.lines.len();
        let kind = match content {
            Content::Field(field) if field.kind == FieldKind::Acap => return None,
            Content::Field(field) => Some(field.kind),
            Content::Blank | Content::Unreadable => None,
        };
        if kind.is_some_and(FieldKind::starts_group) && grouping.starter() {
            self.groups.push(Group::default());
        }
        if kind.is_some_and(FieldKind::is_rule) {
            grouping.rule();
        }
        let group = self.groups.len().checked_sub(1)?;
        let members = self.groups.get_mut(group)?;
        match kind {
            Some(kind) if kind.starts_group() => members.starters.push(line),
            Some(kind) if kind.is_rule() => members.rules.push(line),
            Some(_) => members.others.push(line),
            None => {}
        }
        Some(group)
    }

    /// Compiles the file for `client`, in the reading and with the limit that the file was parsed
    /// with. The policy is the one of [`Policy::compile`] for a client with that reading and limit.
    /// What the file says to other clients is not read again, so for thousands of clients this is
    /// much faster.
    #[must_use]
    pub fn policy(&self, client: &Client) -> Policy {
        self.policy_with(client, Wanted::Evidence)
    }

    /// Compiles what counts for `client`, and nothing else: outcomes, their conditions and what
    /// decides them are those of [`Robots::policy`]. Evidence from groups that do not count is
    /// left out, and so are these groups and the sitemaps. For tools that ask for every client
    /// that a file names: what each of them costs does not grow with the other groups.
    ///
    /// ```
    /// use abide::{Client, ProductToken, Robots, Target, Usage};
    /// let robots = Robots::parse(b"User-agent: *\nDisallow: /\n\nUser-agent: a\nAllow: /x\n");
    /// let client = Client::new(ProductToken::new("a")?);
    /// let (policy, all) = (robots.counting_policy(&client), robots.policy(&client));
    /// let target = Target::new("/x")?;
    /// let [own, full] = [policy.decide(&target), all.decide(&target)];
    /// assert_eq!(own.outcome(Usage::Crawl), full.outcome(Usage::Crawl));
    /// assert_eq!([own, full].map(|said| said.usages.crawl().evidence.len()), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counting_policy(&self, client: &Client) -> Policy {
        self.policy_with(client, Wanted::Outcomes)
    }

    fn policy_with(&self, client: &Client, wanted: Wanted) -> Policy {
        let client = &client.clone().with_profile(self.profile);
        if !client.chosen_readings().is_empty() {
            return Policy::of_text(self.text.clone(), client);
        }
        let asks = client.preferences();
        // Lines of all groups count if the client has none of its own.
        let wanted = match asks.map(|profile| profile.signal_scope) {
            Some(SignalScope::File) => Wanted::Evidence,
            _ => wanted,
        };
        let Shared {
            starters,
            acap,
            lines,
        } = self.shared();
        let read = starters.lines_for(self, client, wanted);
        let mut scanned = self.scan(client, &read);
        scanned.asks_applications = starters.has_directives;
        let acap = acap::compile_file(acap, &self.text, client.for_acap());
        let stating = match asks {
            Some(_) if wanted == Wanted::Evidence => starters.with_stating(&read),
            Some(_) => read,
            None => Vec::new(),
        };
        let own = fields(self, &stating).map(|(field, line)| (*field, line));
        let of_token = |client: &Client| self.policy_with(client, wanted);
        let preferences = preference::compile_fields(own, &self.text, client, of_token);
        let policy = Policy::of_parts(self.text.clone(), scanned, client, (acap, preferences));
        let policy = policy.with_lines(lines.clone());
        match wanted {
            Wanted::Evidence => policy,
            _ => policy.without_passed_over(),
        }
    }

    /// The groups whose rules count for `client`: those that [`Policy::chosen_groups`] has for the
    /// policy of the client, which is not compiled for this.
    ///
    /// ```
    /// use abide::{Client, Robots};
    /// let robots = Robots::parse(b"User-agent: *\nDisallow: /\n");
    /// let client = Client::unnamed();
    /// assert_eq!(robots.chosen_groups(&client), robots.policy(&client).chosen_groups());
    /// ```
    #[must_use]
    pub fn chosen_groups<'c>(&self, client: &'c Client) -> Vec<Selection<'c>> {
        let reading = client.clone().with_profile(self.profile);
        let ScanResult { groups, level, .. } = if reading.chosen_readings().is_empty() {
            let starters = &self.shared().starters;
            self.scan(
                &reading,
                &starters.lines_for(self, &reading, Wanted::Groups),
            )
        } else {
            scan_text(Scan::new(&reading), &self.text, &reading)
        };
        let chosen = groups.iter().filter(|group| Some(group.level) == level);
        let text = self.text.as_bytes();
        chosen.map(|group| selection(client, text, group)).collect()
    }

    /// Scans some lines.
    fn scan(&self, client: &Client, lines: &[usize]) -> ScanResult {
        let mut scan = Scan::new(client);
        for (field, number) in fields(self, lines) {
            scan.field(field, number, self.text.as_bytes());
        }
        scan.finish()
    }

    fn shared(&self) -> &Shared {
        self.shared.get_or_init(|| {
            let text = self.text.as_bytes();
            let acap = self.acap_lines().filter_map(|line| {
                let field = line.field()?;
                Some(acap::line(field, line.number, text))
            });
            Shared {
                starters: Starters::of(self),
                acap: acap::read_lines(&acap.collect::<Vec<_>>(), &self.text),
                lines: LineIndex::of(self.lines.iter().map(|line| line.span.start)),
            }
        })
    }

    /// The ACAP records of the file.
    pub(super) fn acap_file(&self) -> &AcapFile {
        &self.shared().acap
    }

    /// The decoded text. All spans are offsets into it.
    #[must_use]
    pub fn text(&self) -> &Text<'static> {
        &self.text
    }

    /// The reading that the file was parsed in.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Every line, in order.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Every group, in order, unusable ones included.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The lines of the ACAP stream (AMB-ACAP-16).
    pub fn acap_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines
            .iter()
            .filter(|line| line.field().is_some_and(|f| f.kind == FieldKind::Acap))
    }

    /// The values of all `Sitemap` lines, in any place of the file (REP-63), with their lines.
    pub fn sitemaps(&self) -> impl Iterator<Item = (&Line, &[u8])> {
        self.lines.iter().filter_map(|line| {
            let field = line
                .field()
                .filter(|field| field.kind == FieldKind::Sitemap)?;
            let value = field.value.of(self.text.as_bytes());
            (!value.is_empty() && !field.has_control(self.text.as_bytes())).then_some((line, value))
        })
    }

    /// Returns the text, put together from its lines. It equals [`Robots::text`] byte for byte.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = self.text.as_bytes();
        let mut bytes = text.part(..self.text.body()).to_vec();
        for line in &self.lines {
            bytes.extend_from_slice(line.span.of(text));
            bytes.extend_from_slice(line.ending.as_bytes());
        }
        bytes
    }
}
