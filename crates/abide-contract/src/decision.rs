//! Decisions as JSON.

use crate::agent::AgentJson;
use crate::application::ApplicationJson;
use crate::each::{Each, Entries};
use crate::preferences::{self, StatedValue, VocabularyJson};
use crate::redirect::{self, serialised};
use crate::text;
use crate::{RetrievalJson, SCHEMA};
use abide::acap::{Action, ActionRequest};
use abide::explain::quoted;
use abide::preference::Vocabulary;
use abide::tag::TagPlace;
use abide::verdict::{
    EvidenceList, Note, Reason, Role, Selection, SelectionLevel, Source, WrittenCondition,
};
use abide::{
    Decision, Diagnostic, Evidence, Outcome, Policy, ProductToken, Profile, Span, Usage,
    UsageDecision,
};
use abide_known_robots::{Robot, TakenName};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// What may be done with a URL, and why.
///
/// It borrows from the policy and the decision that it is about, so that it can be written without
/// a copy of each. [`DecisionJson::into_owned`] makes one that can be kept, and one that was
/// written can be read again:
///
/// ```
/// use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
/// use abide_contract::DecisionJson;
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let kept: DecisionJson<'static> = {
///     let policy = Policy::compile("User-agent: *\nDisallow: /x\n", &client);
///     let decision = policy.decide(&Target::new("https://e.example/x")?);
///     DecisionJson::new("https://e.example/x", &policy, &decision).into_owned()
/// };
/// assert_eq!(kept.outcome(Usage::Crawl), Some(Outcome::Prohibited));
/// let line = kept.to_line();
/// let read: DecisionJson<'static> = serde_json::from_str(&line)?;
/// assert_eq!(read.to_line(), line);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// The fields are in the order of the contract.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        rename = "Decision",
        description = "What may be done with a URL, and why."
    )
)]
pub struct DecisionJson<'a> {
    /// Version of this contract.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA)))]
    schema: u32,
    /// The `id` of the request, as written.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    id: Option<Cow<'a, RawValue>>,
    /// The URL as it was given.
    url: Cow<'a, str>,
    /// The URL that is requested, about which abide decided, if it differs from `url`.
    #[serde(skip_serializing_if = "Option::is_none")]
    requested: Option<Cow<'a, str>>,
    /// Where the robots.txt of the URL is; null for a path.
    robots_url: Option<String>,
    /// How the robots.txt was fetched, if abide fetched it or took it from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    retrieval: Option<Cow<'a, RetrievalJson>>,
    /// The answer for each usage. `train`, `ai-input` and `search` come together with
    /// `preferences`. A slim answer leaves out the usages that no source mentions.
    #[cfg_attr(feature = "schema", schemars(extend("required" = [Usage::Crawl.name()])))]
    usages: BTreeMap<Usage, UsageJson<'a>>,
    /// What each vocabulary of AI preferences says, if the request asks for preferences.
    #[serde(skip_serializing_if = "Option::is_none")]
    preferences: Option<BTreeMap<Vocabulary, VocabularyJson<'a>>>,
    /// The rules of robots tags that bind the client: `true`, or the value as text.
    tags: BTreeMap<Cow<'a, str>, StatedValue<'a>>,
    /// Rules of robots tags that abide does not know.
    unknown_tag_rules: Cow<'a, BTreeSet<String>>,
    /// What the file asks each application to do.
    applications: BTreeMap<Cow<'a, str>, ApplicationJson<'a>>,
    /// What the file asks the client to do with single resources. abide does not act on them.
    action_requests: Vec<ActionRequestJson<'a>>,
    /// The values of the file's `Sitemap` lines.
    sitemaps: Vec<Cow<'a, str>>,
    /// The delay in seconds, if the chosen group has one: the longest of several, and at most
    /// 86400.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 86400)))]
    crawl_delay: Option<f64>,
    /// The URLs to fetch for a complete answer: robots.txt, a permissions reference, a
    /// `tdmrep.json`, a licence document.
    needs: Vec<String>,
    /// What is wrong or odd in the file.
    diagnostics: Each<DiagnosticLists<'a>, Diagnostic>,
    /// The robot that was asked about. If a `User-Agent` line was, the name in it that counts.
    agent: AgentJson<'a>,
    /// The `User-Agent` line that was asked about, and why its name was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_agent: Option<UserAgentJson<'a>>,
    /// How open points of the specifications were read.
    profile: Profile,
    /// What the operator documents about the robot, if that matters for the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_robot: Option<DocumentedJson>,
}

/// The `User-Agent` line that the robot was named by.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "UserAgent"))]
struct UserAgentJson<'a> {
    /// The line as it was given.
    line: Cow<'a, str>,
    /// `in-file`: the first name of the line that the file has a group for; `known`: a known robot
    /// by its mark; `product`: the first product that is no browser, library or crawling software;
    /// `software`: the line names no other product than software; `nobody`: it names no robot.
    taken: TakenName,
    /// Why, in a sentence.
    why: String,
}

/// What is documented about a known robot and matters for the answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "DocumentedRobot"))]
struct DocumentedJson {
    token: Cow<'static, str>,
    operator: Cow<'static, str>,
    /// What applies, in sentences.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    applied: Vec<String>,
    /// The page that says so.
    documentation: Option<Cow<'static, str>>,
    /// The day on which the page was read.
    checked: Cow<'static, str>,
}

/// The answer for one usage.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "UsageDecision"))]
pub(crate) struct UsageJson<'a> {
    /// The answer.
    outcome: Outcome,
    /// What a conditional outcome demands.
    conditions: Vec<WrittenCondition>,
    /// The deciding entry first, then everything else that matched, in file order.
    evidence: Each<UsageEvidence<'a>, EvidenceJson<'a>>,
}

/// The evidence of a usage: a file can have 300,000 pieces.
#[derive(Debug)]
struct UsageEvidence<'a> {
    evidence: &'a EvidenceList<'a>,
    /// The hash of the robots.txt.
    sha256: Option<&'a str>,
    /// Notes on the deciding piece, instead of its own.
    notes: &'static [Note],
    /// Whether long statements are cut.
    is_cut: bool,
}

impl<'a> Entries for UsageEvidence<'a> {
    type Entry = EvidenceJson<'a>;

    fn entries(&self) -> impl Iterator<Item = EvidenceJson<'a>> {
        self.evidence.iter().enumerate().map(|(at, evidence)| {
            let is_in_the_file = matches!(
                evidence.source,
                Source::RobotsTxt
                    | Source::Acap
                    | Source::ContentUsage
                    | Source::ContentSignal
                    | Source::ControlToken
                    | Source::AppDirectives
            );
            let mut json = EvidenceJson::new(evidence);
            if self.is_cut && !evidence.statement.is_empty() {
                json.statement = Some(quoted(evidence.statement));
            }
            json.sha256 = self.sha256.filter(|_| is_in_the_file).map(Cow::from);
            if at == 0 && !self.notes.is_empty() {
                json.notes = self.notes.into();
            }
            json
        })
    }
}

/// A request for an action, which must be confirmed by other means (ACAP-119).
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        rename = "ActionRequest",
        description = "What the file asks the client to do."
    )
)]
struct ActionRequestJson<'a> {
    action: Action,
    path: Cow<'a, str>,
    /// Always true.
    requires_confirmation: bool,
}

impl<'a> ActionRequestJson<'a> {
    fn new(request: &'a ActionRequest) -> Self {
        Self {
            action: request.action,
            path: request.path.as_str().into(),
            requires_confirmation: true,
        }
    }
}

/// The field that a robots tag is in.
#[derive(Clone, Copy, Debug)]
enum TagField {
    RobotsTag,
    XRobotsTag,
}

abide::named!(
    TagField,
    [RobotsTag = "Robots-Tag", XRobotsTag = "X-Robots-Tag"]
);

/// Something that decided, agreed or was overridden.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Evidence"))]
struct EvidenceJson<'a> {
    /// What kind of source it comes from.
    source: Source,
    /// For an AI preference: its vocabulary.
    #[serde(skip_serializing_if = "Option::is_none")]
    vocabulary: Option<Vocabulary>,
    /// For a line of a permissions reference: the reference, as robots.txt writes it; for a
    /// document: its URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    locator: Option<Cow<'a, str>>,
    /// Of the robots.txt that the line is in, if abide fetched it or took it from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = crate::retrieval::SHA256)))]
    sha256: Option<Cow<'a, str>>,
    /// Number of the line of robots.txt, or of the field line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    line: Option<u32>,
    /// For a robots tag in a field: the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<TagField>,
    /// Number of the field's member, or of the document's rule or `content`, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    member: Option<u32>,
    /// For an element of a page: its first byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    /// First byte, and byte after the last, in the decoded file.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Span>,
    /// The field as written, from key to value; of a tag at most 256 bytes, and then `…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<Cow<'a, str>>,
    /// How many bytes the rule's pattern has, normalised.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    bytes: Option<u32>,
    /// The line through which the group or record applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    selected_by: Option<SelectionJson<'a>>,
    /// The name of the robots tag rule; for an older word of `Content-Usage` that word with its
    /// value; in the preferences for an application the directive, or the word with its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Cow<'a, str>>,
    /// The part that it played.
    role: Role,
    /// Why it played that part.
    reason: Reason,
    /// Why the file is unavailable or unreachable, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    /// What else is to be known.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    notes: Cow<'a, [Note]>,
}

/// The `User-agent`, `User-Agent-Purpose` or `ACAP-crawler` line through which a group or record
/// applies.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Selection"))]
pub(crate) struct SelectionJson<'a> {
    by: SelectionLevel,
    /// The name in the line, of which at most 256 bytes are quoted.
    token: Cow<'a, str>,
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    line: u32,
}

/// The findings about the file, and those about the decision.
#[derive(Debug)]
struct DiagnosticLists<'a> {
    of_file: &'a [Diagnostic],
    of_decision: Vec<Diagnostic>,
}

impl<'a> Entries for DiagnosticLists<'a> {
    type Entry = Cow<'a, Diagnostic>;

    fn entries(&self) -> impl Iterator<Item = Cow<'a, Diagnostic>> {
        let of_decision = self.of_decision.iter().cloned().map(Cow::Owned);
        self.of_file.iter().map(Cow::Borrowed).chain(of_decision)
    }
}

impl<'a> DecisionJson<'a> {
    /// The decision about `url` under `policy`.
    #[must_use]
    pub fn new(url: &'a str, policy: &'a Policy, decision: &'a Decision<'a>) -> Self {
        let client = policy.client();
        let usages = decision
            .usages
            .iter()
            .map(|usage_decision| (usage_decision.usage, UsageJson::new(usage_decision)));
        let tags = decision.tags.iter();
        let tags = tags.map(|(name, value)| (name.into(), StatedValue::new(value.as_deref())));
        let applications = decision.applications.iter();
        let applications = applications.map(|application_decision| {
            (
                application_decision.id.into(),
                ApplicationJson::new(application_decision, policy),
            )
        });
        Self {
            schema: SCHEMA,
            id: None,
            url: url.into(),
            requested: None,
            robots_url: decision.target.robots_url().map(serialised),
            retrieval: None,
            usages: usages.collect(),
            preferences: decision.preferences.as_ref().map(preferences::answered),
            tags: tags.collect(),
            unknown_tag_rules: Cow::Borrowed(&decision.unknown_tag_rules),
            applications: applications.collect(),
            action_requests: decision
                .action_requests
                .iter()
                .map(ActionRequestJson::new)
                .collect(),
            sitemaps: policy.sitemaps().map(String::from_utf8_lossy).collect(),
            crawl_delay: decision
                .crawl_delay
                .map(|(delay, _)| delay.duration().as_secs_f64()),
            needs: needs(decision),
            diagnostics: Each::Of(DiagnosticLists {
                of_file: policy.diagnostics(),
                of_decision: policy.diagnostics_of(decision),
            }),
            agent: AgentJson::new(client.product_tokens().iter().map(ProductToken::as_str)),
            user_agent: None,
            profile: client.profile(),
            known_robot: None,
        }
    }

    /// Adds the `id` of the request.
    pub(crate) fn with_id(mut self, id: Option<&'a RawValue>) -> Self {
        self.id = id.map(Cow::Borrowed);
        self
    }

    /// Names the robot as it was asked about, or by the name that counts in the file if it was
    /// asked about by a `User-Agent` line, and adds what is documented about it, if that matters
    /// for the answer.
    #[must_use]
    pub fn with_robot(mut self, robot: &'a Robot, policy: &Policy) -> Self {
        self = self.with_agent(robot.names(), policy);
        let settled = robot.in_file(policy);
        let taken = settled.taken().zip(settled.identified());
        if let Some(((taken, why), line)) = taken.zip(robot.user_agent_line()) {
            self.agent = AgentJson::Name(settled.name().into());
            let line = line.into();
            self.user_agent = Some(UserAgentJson { line, taken, why });
        }
        let applied = settled.applied(policy);
        let row = settled.row().filter(|_| !applied.is_empty());
        self.known_robot = row.map(|known| DocumentedJson {
            token: known.token.into(),
            operator: known.operator.into(),
            applied,
            documentation: known.documentation.map(Cow::from),
            checked: known.checked.into(),
        });
        self
    }

    /// Names the robot as it was asked about.
    pub(crate) fn with_agent(mut self, names: &'a [String], policy: &Policy) -> Self {
        self.agent = AgentJson::new(names);
        self.profile = policy.client().profile();
        self
    }

    /// Leaves out the usages that no source mentions. Crawl always stays.
    #[must_use]
    pub fn without_unmentioned(mut self) -> Self {
        self.usages
            .retain(|usage, decision| *usage == Usage::Crawl || decision.is_mentioned());
        for application in self.applications.values_mut() {
            let preferences = &mut application.preferences;
            preferences.retain(|_, preference| preference.is_mentioned());
        }
        self
    }

    /// Adds the URL that was matched against the rules because it is the one that is requested, if
    /// it differs from the given one.
    #[must_use]
    pub fn with_requested(mut self, requested: &'a str) -> Self {
        self.requested = (requested != self.url).then(|| requested.into());
        self
    }

    /// Notes why the status of the robots.txt leaves it unknown. A redirect leads to `location`, if
    /// that is known.
    #[must_use]
    pub(crate) fn unread(mut self, notes: &'static [Note], location: Option<&str>) -> Self {
        let location = location.filter(|_| !notes.contains(&Note::NotModified));
        let next = self.robots_url.as_deref().zip(location);
        if let Some(next) = next.and_then(|(url, location)| redirect::target(url, location)) {
            self.needs = vec![next];
        }
        let crawl = self.usages.get_mut(&Usage::Crawl);
        if let Some(Each::Of(crawl)) = crawl.map(|crawl| &mut crawl.evidence) {
            let decided = crawl.evidence.first();
            // What the file does not decide, such as robots.txt itself, does not need the file.
            if decided.is_some_and(|decided| decided.reason == Reason::RobotsTxtNotKnown) {
                crawl.notes = notes;
            }
        }
        self
    }

    /// Adds how the robots.txt was fetched; evidence from the file gets the file's hash.
    #[must_use]
    pub fn with_retrieval(mut self, retrieval: Option<&'a RetrievalJson>) -> Self {
        self.retrieval = retrieval.map(Cow::Borrowed);
        let sha256 = retrieval.and_then(|retrieval| retrieval.sha256.as_deref());
        let applications = self.applications.values_mut();
        let preferences = applications.flat_map(|one| one.preferences.values_mut());
        for decision in self.usages.values_mut().chain(preferences) {
            decision.set_sha256(sha256);
        }
        self
    }

    /// The outcome for `usage`; `None` for a usage that is not in the answer, because nobody asked
    /// for it, or because a slim answer leaves it out.
    #[must_use]
    pub fn outcome(&self, usage: Usage) -> Option<Outcome> {
        self.usages.get(&usage).map(|decision| decision.outcome)
    }

    /// The decision without anything that it borrows, to be kept or sent to another thread.
    ///
    /// # Panics
    /// Only on a bug: what is written can be read.
    #[must_use]
    pub fn into_owned(self) -> DecisionJson<'static> {
        serde_json::from_str(&self.to_line()).expect("what is written can be read")
    }

    /// Writes the decision to `out` as one line without a line end, in many small pieces.
    ///
    /// # Errors
    /// Errors of `out`; then a part of the decision may be written.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        text::write(out, self)
    }

    /// Appends the decision to `lines` as one line without a line end.
    ///
    /// # Panics
    /// Only on a bug: a decision always serialises.
    pub fn write_line(&self, lines: &mut Vec<u8>) {
        text::append(lines, self);
    }

    /// The decision as one line without a line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        text::line(self)
    }

    /// The decision on several indented lines, without a final line end.
    #[must_use]
    pub fn to_pretty(&self) -> String {
        text::pretty(self)
    }
}

impl<'a> UsageJson<'a> {
    /// Whether a source mentions the usage.
    fn is_mentioned(&self) -> bool {
        self.outcome != Outcome::Unspecified || !self.evidence.is_empty()
    }

    fn new(decision: &'a UsageDecision<'a>) -> Self {
        let conditions = decision.conditions.iter().map(WrittenCondition::from);
        Self {
            outcome: decision.outcome,
            conditions: conditions.collect(),
            evidence: Each::Of(UsageEvidence {
                evidence: &decision.evidence,
                sha256: None,
                notes: &[],
                is_cut: false,
            }),
        }
    }

    /// The answer for an application. A line can be evidence for a thousand of them, so long
    /// statements are cut.
    pub(crate) fn of_application(decision: &'a UsageDecision<'a>) -> Self {
        let mut json = Self::new(decision);
        if let Each::Of(evidence) = &mut json.evidence {
            evidence.is_cut = true;
        }
        json
    }

    /// Adds the hash of the robots.txt to the evidence from it.
    pub(crate) fn set_sha256(&mut self, sha256: Option<&'a str>) {
        if let Each::Of(evidence) = &mut self.evidence {
            evidence.sha256 = sha256;
        }
    }
}

impl<'a> EvidenceJson<'a> {
    fn new(evidence: &'a Evidence<'a>) -> Self {
        // A line of a file is evidence once for each usage, a tag once for each of its rules too.
        // Both can be long.
        let statement: &[u8] = evidence.statement;
        let is_in_robots_txt = evidence.tag_place().is_none()
            && evidence.field_line().is_none()
            && evidence.member().is_none();
        let statement = if is_in_robots_txt {
            String::from_utf8_lossy(statement)
        } else {
            quoted(statement)
        };
        let statement = Some(statement).filter(|statement| !statement.is_empty());
        let (line, member, offset) = match (evidence.place, evidence.tag_place()) {
            (Some(place), _) => (Some(place.line), None, None),
            (None, Some(TagPlace::Field { line, member })) => (Some(line), Some(member), None),
            (None, Some(TagPlace::Element { offset })) => (None, None, Some(offset)),
            (None, None) => (None, None, None),
        };
        Self {
            source: evidence.source,
            vocabulary: evidence.vocabulary,
            locator: evidence.locator().map(|locator| quoted(locator.as_bytes())),
            sha256: None,
            line: line.or(evidence.field_line()),
            field: match evidence.source {
                Source::RobotsTag => Some(TagField::RobotsTag),
                Source::XRobotsTag => Some(TagField::XRobotsTag),
                _ => None,
            },
            member: evidence.member().or(member),
            offset,
            span: evidence.place.map(|place| place.span),
            statement,
            bytes: evidence.bytes,
            selected_by: evidence.selected_by.as_deref().map(SelectionJson::new),
            rule: evidence.rule().map(Cow::from),
            role: evidence.role,
            reason: evidence.reason,
            cause: evidence.cause.map(|cause| cause.to_string()),
            notes: evidence.notes().into(),
        }
    }
}

impl<'a> SelectionJson<'a> {
    pub(crate) fn new(selection: &Selection<'a>) -> Self {
        Self {
            by: selection.by.level(),
            token: quoted(selection.by.token().as_bytes()),
            line: selection.place.line,
        }
    }
}

/// What to read next. Licence documents are given by the URL that the site writes, all else by the
/// URL as clients send it.
fn needs(decision: &Decision<'_>) -> Vec<String> {
    let preferences = decision.preferences.iter();
    let vocabularies = preferences.flat_map(|preferences| &preferences.vocabularies);
    let documents = vocabularies.flat_map(|vocabulary| &vocabulary.documents);
    let licences: Vec<_> = documents.filter_map(|one| one.url.as_deref()).collect();
    let needs = decision.needs.iter().map(|url| {
        if licences.contains(&url.as_str()) {
            url.clone()
        } else {
            serialised(url.clone())
        }
    });
    needs.collect()
}
