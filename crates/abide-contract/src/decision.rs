//! Decisions as JSON.

use crate::application::ApplicationJson;
use crate::preferences::PreferencesJson;
use crate::redirect::{self, serialised};
use crate::text;
use crate::{RetrievalJson, SCHEMA};
use abide::Evidence;
use abide::acap::ActionRequest;
use abide::explain::quoted;
use abide::preference::Vocabulary;
use abide::tag::TagPlace;
use abide::verdict::{EvidenceList, Reason, SelectedBy, Selection, Source};
use abide::{Condition, Decision, Diagnostic, Outcome, Policy, Usage, UsageDecision};
use abide_known_robots::Robot;
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// A decision, with fields in the order of the contract.
#[derive(Debug, Serialize)]
pub struct DecisionJson<'a> {
    schema: u32,
    id: Option<&'a RawValue>,
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    requested: Option<&'a str>,
    robots_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retrieval: Option<&'a RetrievalJson>,
    #[serde(serialize_with = "usages")]
    usages: Vec<(&'static str, UsageJson<'a>)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preferences: Option<PreferencesJson<'a>>,
    tags: BTreeMap<&'a str, TagValue<'a>>,
    unknown_tag_rules: &'a BTreeSet<String>,
    applications: BTreeMap<&'a str, ApplicationJson<'a>>,
    action_requests: Vec<ActionRequestJson<'a>>,
    sitemaps: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    crawl_delay: Option<f64>,
    needs: Vec<String>,
    diagnostics: EachDiagnostic<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<AgentJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_agent: Option<UserAgentJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_robot: Option<DocumentedJson>,
}

/// The robot that was asked about, as requests write it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum AgentJson<'a> {
    /// One name; `*` for the robots that no group names.
    Name(Cow<'a, str>),
    /// Names in order of preference.
    Names(Vec<&'a str>),
}

impl<'a> AgentJson<'a> {
    /// The robot with these names; none of them for the robots that no group names.
    pub(crate) fn new(names: &'a [String]) -> Self {
        match names {
            [] => Self::Name("*".into()),
            [only] => Self::Name(only.into()),
            several => Self::Names(several.iter().map(String::as_str).collect()),
        }
    }
}

/// The `User-Agent` line that the robot was named by.
#[derive(Debug, Serialize)]
struct UserAgentJson<'a> {
    line: &'a str,
    taken: &'static str,
    why: String,
}

/// What is documented about a known robot and matters for the answer.
#[derive(Debug, Serialize)]
struct DocumentedJson {
    token: &'static str,
    operator: &'static str,
    applied: Vec<String>,
    documentation: Option<&'static str>,
    checked: &'static str,
}

#[derive(Debug, Serialize)]
struct UsageJson<'a> {
    outcome: &'static str,
    conditions: Vec<ConditionJson>,
    evidence: EachEvidence<'a>,
}

/// Evidence that becomes JSON one piece after the other: a file can have 300,000 pieces.
#[derive(Debug)]
struct EachEvidence<'a> {
    evidence: &'a EvidenceList<'a>,
    /// The hash of the robots.txt.
    sha256: Option<&'a str>,
    /// Notes on the deciding piece, instead of its own.
    notes: &'static [&'static str],
}

impl Serialize for EachEvidence<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(self.evidence.len()))?;
        for (at, evidence) in self.evidence.iter().enumerate() {
            let mut json = EvidenceJson::new(evidence);
            let stands_in_the_file = matches!(
                evidence.source,
                Source::RobotsTxt
                    | Source::Acap
                    | Source::ContentUsage
                    | Source::ContentSignal
                    | Source::ControlToken
            );
            json.sha256 = self.sha256.filter(|_| stands_in_the_file);
            if at == 0 && !self.notes.is_empty() {
                json.notes = self.notes;
            }
            sequence.serialize_element(&json)?;
        }
        sequence.end()
    }
}

/// A request for an action, which must be confirmed by other means (ACAP-119).
#[derive(Debug, Serialize)]
struct ActionRequestJson<'a> {
    action: &'static str,
    path: &'a str,
    requires_confirmation: bool,
}

impl<'a> ActionRequestJson<'a> {
    fn new(request: &'a ActionRequest) -> Self {
        Self {
            action: request.action.name(),
            path: &request.path,
            requires_confirmation: true,
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct ConditionJson {
    kind: &'static str,
    value: String,
}

impl ConditionJson {
    pub(crate) fn new(condition: &Condition) -> Self {
        Self {
            kind: condition.kind(),
            value: condition.value(),
        }
    }
}

/// The value of a robots tag rule; `true` if it has none.
#[derive(Debug)]
struct TagValue<'a>(Option<&'a str>);

impl Serialize for TagValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(value) => serializer.serialize_str(value),
            None => serializer.serialize_bool(true),
        }
    }
}

#[derive(Debug, Serialize)]
struct EvidenceJson<'a> {
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    vocabulary: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    locator: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selected_by: Option<SelectionJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    role: &'static str,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'static [&'static str],
}

#[derive(Debug, Serialize)]
struct SelectionJson<'a> {
    by: &'static str,
    token: Cow<'a, str>,
    line: u32,
}

/// The findings about the file and about the decision, which become JSON one after the other.
#[derive(Debug)]
struct EachDiagnostic<'a>([&'a [Diagnostic]; 2]);

impl Serialize for EachDiagnostic<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().copied().flatten().map(DiagnosticJson::new))
    }
}

#[derive(Debug, Serialize)]
struct DiagnosticJson<'a> {
    code: &'static str,
    severity: &'static str,
    line: Option<u32>,
    message: &'a str,
}

impl<'a> DecisionJson<'a> {
    /// The decision about `url` under `policy`.
    #[must_use]
    pub fn new(url: &'a str, policy: &'a Policy, decision: &'a Decision<'a>) -> Self {
        let usages = decision
            .usages
            .iter()
            .map(|said| (said.usage.name(), UsageJson::new(said)));
        let tags = decision.tags.iter();
        let tags = tags.map(|(name, value)| (name.as_str(), TagValue(value.as_deref())));
        let applications = decision.applications.iter();
        let applications = applications.map(|said| (said.id, ApplicationJson::new(said, policy)));
        Self {
            schema: SCHEMA,
            id: None,
            url,
            requested: None,
            robots_url: decision.target.robots_url().map(serialised),
            retrieval: None,
            usages: usages.collect(),
            preferences: decision.preferences.as_ref().map(PreferencesJson),
            tags: tags.collect(),
            unknown_tag_rules: &decision.unknown_tag_rules,
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
            diagnostics: EachDiagnostic([policy.diagnostics(), &decision.diagnostics]),
            agent: None,
            user_agent: None,
            profile: None,
            known_robot: None,
        }
    }

    /// Adds the `id` of the request.
    pub(crate) const fn with_id(mut self, id: Option<&'a RawValue>) -> Self {
        self.id = id;
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
            self.agent = Some(AgentJson::Name(settled.name().into()));
            let taken = taken.name();
            self.user_agent = Some(UserAgentJson { line, taken, why });
        }
        let applied = settled.applied(policy);
        let row = settled.row().filter(|_| !applied.is_empty());
        self.known_robot = row.map(|known| DocumentedJson {
            token: known.token,
            operator: known.operator,
            applied,
            documentation: known.documentation,
            checked: known.checked,
        });
        self
    }

    /// Names the robot as it was asked about.
    pub(crate) fn with_agent(mut self, names: &'a [String], policy: &Policy) -> Self {
        self.agent = Some(AgentJson::new(names));
        self.profile = Some(policy.client().profile().name());
        self
    }

    /// Leaves out the usages that no source mentions. Crawl always stays.
    #[must_use]
    pub fn without_unmentioned(mut self) -> Self {
        let crawl = Usage::Crawl.name();
        self.usages
            .retain(|(name, said)| *name == crawl || said.is_mentioned());
        self
    }

    /// Adds the URL that was matched against the rules because it is the one that is requested, if
    /// it differs from the given one.
    #[must_use]
    pub fn with_requested(mut self, requested: &'a str) -> Self {
        self.requested = (requested != self.url).then_some(requested);
        self
    }

    /// Notes why the status of the robots.txt leaves it unknown. A redirect leads to `location`, if
    /// that is known.
    #[must_use]
    pub(crate) fn unread(mut self, notes: &'static [&'static str], location: Option<&str>) -> Self {
        let location = location.filter(|_| !notes.contains(&redirect::NOT_MODIFIED));
        let next = self.robots_url.as_deref().zip(location);
        if let Some(next) = next.and_then(|(url, location)| redirect::target(url, location)) {
            self.needs = vec![next];
        }
        if let Some((_, crawl)) = self.usages.first_mut() {
            let decided = crawl.evidence.evidence.first();
            // What the file does not decide, such as robots.txt itself, does not need the file.
            if decided.is_some_and(|decided| decided.reason == Reason::RobotsTxtNotKnown) {
                crawl.evidence.notes = notes;
            }
        }
        self
    }

    /// Adds how the robots.txt was fetched; evidence from the file gets the file's hash.
    #[must_use]
    pub fn with_retrieval(mut self, retrieval: Option<&'a RetrievalJson>) -> Self {
        self.retrieval = retrieval;
        let sha256 = retrieval.and_then(|retrieval| retrieval.sha256.as_deref());
        for (_, said) in &mut self.usages {
            said.evidence.sha256 = sha256;
        }
        self
    }

    /// Writes the decision to `out` as one line without a line end, in many small pieces.
    ///
    /// # Errors
    /// Those of `out`; then a part of the decision may be written.
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
        self.outcome != Outcome::Unspecified.name() || !self.evidence.evidence.is_empty()
    }

    fn new(said: &'a UsageDecision<'a>) -> Self {
        let conditions = said.conditions.iter().map(ConditionJson::new);
        Self {
            outcome: said.outcome.name(),
            conditions: conditions.collect(),
            evidence: EachEvidence {
                evidence: &said.evidence,
                sha256: None,
                notes: &[],
            },
        }
    }
}

impl<'a> EvidenceJson<'a> {
    fn new(evidence: &'a Evidence<'a>) -> Self {
        use Reason::{ReferenceUnreachable, Unavailable, Unreachable};
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
            (None, Some(TagPlace::Offset(offset))) => (None, None, Some(offset)),
            (None, None) => (None, None, None),
        };
        Self {
            source: evidence.source.name(),
            vocabulary: evidence.vocabulary.map(Vocabulary::name),
            locator: evidence.locator().map(|locator| quoted(locator.as_bytes())),
            sha256: None,
            line: line.or(evidence.field_line()),
            field: match evidence.source {
                Source::RobotsTag => Some("Robots-Tag"),
                Source::XRobotsTag => Some("X-Robots-Tag"),
                _ => None,
            },
            member: evidence.member().or(member),
            offset,
            span: evidence
                .place
                .map(|place| [place.span.start, place.span.end]),
            statement,
            bytes: evidence.bytes,
            selected_by: evidence.selected_by.as_deref().map(SelectionJson::new),
            rule: evidence.rule(),
            role: evidence.role.name(),
            reason: evidence.reason.name(),
            cause: match evidence.reason {
                Unavailable(cause) | Unreachable(cause) | ReferenceUnreachable(cause) => {
                    Some(cause.to_string())
                }
                _ => None,
            },
            notes: evidence.notes(),
        }
    }
}

impl<'a> SelectionJson<'a> {
    fn new(selection: &'a Selection<'a>) -> Self {
        let by: &SelectedBy<'_> = &selection.by;
        Self {
            by: by.name(),
            token: quoted(by.token().as_bytes()),
            line: selection.place.line,
        }
    }
}

impl<'a> DiagnosticJson<'a> {
    fn new(diagnostic: &'a Diagnostic) -> Self {
        Self {
            code: diagnostic.code.name(),
            severity: diagnostic.severity.name(),
            line: diagnostic.line,
            message: &diagnostic.message,
        }
    }
}

/// What to read next. Licence documents are given by the URL that the site writes, all else by the
/// URL as clients send it.
fn needs(decision: &Decision<'_>) -> Vec<String> {
    let said = decision.preferences.iter();
    let vocabularies = said.flat_map(|said| &said.vocabularies);
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

fn usages<S: Serializer>(
    usages: &[(&'static str, UsageJson<'_>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(usages.len()))?;
    for (name, said) in usages {
        map.serialize_entry(name, said)?;
    }
    map.end()
}
