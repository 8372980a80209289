//! The differences between two files as JSON. `schema/diff.json` describes them; the order of
//! fields is stable.

use crate::decision::ConditionJson;
use crate::room::Room;
use abide_lint::compare::{
    Answer, Cause, Change, ChangedUrls, Chosen, ClientDifferences, DecidedBy, Differences,
    DirectiveRegion, Directives, NamedClient, Phrase, Region, Review, VocabularyChange,
};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Version of the format: the value of the `schema` member.
pub const SCHEMA: u32 = 1;

/// The differences, with fields in the order of the schema.
#[derive(Debug, Serialize)]
pub struct DiffJson<'a> {
    schema: u32,
    old: &'a str,
    new: &'a str,
    equivalent: bool,
    complete: bool,
    headline: String,
    also: Vec<String>,
    affected: Option<String>,
    causes: Vec<CauseJson>,
    not_compared: Vec<String>,
    clients: Vec<ClientsJson<'a>>,
    sitemaps: Option<ChangedJson<Vec<Cow<'a, str>>>>,
    left_out: usize,
    urls: Option<UrlsJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<OmittedJson>,
}

/// What an answer leaves out because it would be too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct OmittedJson {
    causes: usize,
    clients: usize,
    /// Of the clients that are listed.
    regions: usize,
    urls: usize,
}

impl<'a> DiffJson<'a> {
    /// Leaves out causes, clients, regions and URLs for which there is no room, and says how many.
    #[must_use]
    pub fn within(mut self, mut room: Room) -> Self {
        let mut omitted = OmittedJson::default();
        let mut half = room.half();
        omitted.causes = half.keep(&mut self.causes);
        room.give_back(half);
        if let Some(urls) = &mut self.urls {
            let mut half = room.half();
            omitted.urls = half.keep(&mut urls.changed);
            room.give_back(half);
        }
        let clients = self.clients.len();
        let has_room = |one: &mut ClientsJson<'_>| {
            let mut regions = std::mem::take(&mut one.regions);
            let mut directives = std::mem::take(&mut one.directives);
            let has_room = room.take(&*one);
            if has_room {
                omitted.regions += room.keep(&mut regions) + room.keep(&mut directives);
            }
            (one.regions, one.directives) = (regions, directives);
            has_room
        };
        let kept = self.clients.iter_mut().map(has_room);
        let kept = kept.take_while(|has_room| *has_room).count();
        self.clients.truncate(kept);
        omitted.clients = clients - kept;
        let is_listed = |place: &RegionPlaceJson| {
            let one = self.clients.get(place.clients);
            one.is_some_and(|one| place.region < one.regions.len())
        };
        for cause in &mut self.causes {
            cause.regions.retain(is_listed);
        }
        self.omitted = (omitted != OmittedJson::default()).then_some(omitted);
        self
    }

    /// The differences between the files named `old` and `new`, their review, and the changes of a
    /// list of URLs.
    #[must_use]
    pub fn new(
        old: &'a str,
        new: &'a str,
        differences: &'a Differences,
        review: &Review,
        urls: Option<&'a ChangedUrls<'_>>,
    ) -> Self {
        let texts = |values: &'a Vec<Vec<u8>>| {
            let texts = values.iter().map(|value| String::from_utf8_lossy(value));
            texts.collect()
        };
        Self {
            schema: SCHEMA,
            old,
            new,
            equivalent: differences.is_equivalent(),
            complete: differences.is_complete(),
            headline: review.headline.plain(),
            also: review.also.iter().map(Phrase::plain).collect(),
            affected: review.affected.as_ref().map(Phrase::plain),
            causes: review.causes.iter().map(CauseJson::new).collect(),
            not_compared: review.not_compared.iter().map(Phrase::plain).collect(),
            clients: differences.clients.iter().map(ClientsJson::new).collect(),
            sitemaps: differences
                .sitemaps
                .as_ref()
                .map(|changed| of(changed, texts)),
            left_out: differences.left_out.len(),
            urls: urls.map(UrlsJson::new),
            omitted: None,
        }
    }
}

#[derive(Debug, Serialize)]
struct CauseJson {
    kind: &'static str,
    sentence: String,
    whom: String,
    line: Option<u32>,
    regions: Vec<RegionPlaceJson>,
}

#[derive(Debug, Serialize)]
struct RegionPlaceJson {
    clients: usize,
    region: usize,
}

impl CauseJson {
    fn new(cause: &Cause) -> Self {
        let regions = cause.regions.iter().map(|place| RegionPlaceJson {
            clients: place.clients,
            region: place.region,
        });
        Self {
            kind: cause.kind.name(),
            sentence: cause.sentence.plain(),
            whom: cause.whom.plain(),
            line: cause.line,
            regions: regions.collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct ChangedJson<T> {
    old: T,
    new: T,
}

fn of<'a, T, U>(changed: &'a Change<T>, show: impl Fn(&'a T) -> U) -> ChangedJson<U> {
    ChangedJson {
        old: show(&changed.old),
        new: show(&changed.new),
    }
}

#[derive(Debug, Serialize)]
struct NameJson<'a> {
    agent: Option<&'a str>,
    purpose: Option<&'a str>,
}

fn names(clients: &[NamedClient]) -> Vec<NameJson<'_>> {
    let name = |client| {
        let NamedClient { agent, purpose, .. }: &NamedClient = client;
        NameJson {
            agent: agent.as_deref(),
            purpose: purpose.as_deref(),
        }
    };
    clients.iter().map(name).collect()
}

#[derive(Debug, Serialize)]
struct ClientsJson<'a> {
    names: Vec<NameJson<'a>>,
    equivalent: bool,
    complete: bool,
    regions: Vec<RegionJson<'a>>,
    directives: Vec<DirectivesJson<'a>>,
    groups: Option<ChangedJson<Option<ChosenJson<'a>>>>,
    /// In seconds.
    crawl_delay: Option<ChangedJson<Option<f64>>>,
    action_requests: Option<ChangedJson<Vec<RequestJson<'a>>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    vocabularies: Vec<VocabularyChangeJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    licences: Option<ChangedJson<&'a [String]>>,
}

impl<'a> ClientsJson<'a> {
    fn new(one: &'a ClientDifferences) -> Self {
        let comparison = &one.comparison;
        let seconds = |delay: &Option<abide::rep::CrawlDelay>| {
            delay.map(|delay| delay.duration().as_secs_f64())
        };
        let requests = |requests: &'a Vec<(&'static str, String)>| {
            let each = requests.iter();
            each.map(|(action, path)| RequestJson { action, path })
                .collect()
        };
        let changed_groups = comparison.groups.as_ref();
        Self {
            names: names(&one.clients),
            equivalent: comparison.is_equivalent(),
            complete: comparison.is_complete,
            regions: comparison.regions.iter().map(RegionJson::new).collect(),
            directives: comparison
                .directives
                .iter()
                .map(DirectivesJson::new)
                .collect(),
            groups: changed_groups
                .map(|changed| of(changed, |one| one.as_ref().map(ChosenJson::new))),
            crawl_delay: comparison
                .crawl_delay
                .as_ref()
                .map(|changed| of(changed, seconds)),
            action_requests: comparison
                .requests
                .as_ref()
                .map(|changed| of(changed, requests)),
            vocabularies: comparison
                .vocabularies
                .iter()
                .map(VocabularyChangeJson::new)
                .collect(),
            licences: comparison
                .licences
                .as_ref()
                .map(|changed| of(changed, Vec::as_slice)),
        }
    }
}

#[derive(Debug, Serialize)]
struct VocabularyChangeJson<'a> {
    vocabulary: &'static str,
    usage: &'static str,
    witness: &'a str,
    old: &'static str,
    new: &'static str,
}

impl<'a> VocabularyChangeJson<'a> {
    fn new(change: &'a VocabularyChange) -> Self {
        Self {
            vocabulary: change.vocabulary.name(),
            usage: change.usage.name(),
            witness: &change.witness,
            old: change.old.name(),
            new: change.new.name(),
        }
    }
}

#[derive(Debug, Serialize)]
struct ChosenJson<'a> {
    by: &'static str,
    token: &'a str,
}

impl<'a> ChosenJson<'a> {
    fn new(chosen: &'a Chosen) -> Self {
        Self {
            by: chosen.by,
            token: &chosen.token,
        }
    }
}

#[derive(Debug, Serialize)]
struct RequestJson<'a> {
    action: &'static str,
    path: &'a str,
}

#[derive(Debug, Serialize)]
struct RegionJson<'a> {
    usage: &'static str,
    witness: &'a str,
    old: SideAnswerJson<'a>,
    new: SideAnswerJson<'a>,
}

impl<'a> RegionJson<'a> {
    fn new(region: &'a Region) -> Self {
        Self {
            usage: region.usage.name(),
            witness: &region.witness,
            old: SideAnswerJson::new(&region.old),
            new: SideAnswerJson::new(&region.new),
        }
    }
}

#[derive(Debug, Serialize)]
struct SideAnswerJson<'a> {
    outcome: &'static str,
    conditions: Vec<ConditionJson>,
    decided_by: Option<DecidedJson<'a>>,
}

#[derive(Debug, Serialize)]
struct DecidedJson<'a> {
    source: &'static str,
    reason: &'static str,
    line: Option<u32>,
    statement: Option<Cow<'a, str>>,
}

impl<'a> SideAnswerJson<'a> {
    fn new(answer: &'a Answer) -> Self {
        let conditions = answer.conditions.iter().map(ConditionJson::new);
        let decided = |by: &'a DecidedBy| DecidedJson {
            source: by.source.name(),
            reason: by.reason.name(),
            line: by.line,
            statement: (!by.statement.is_empty()).then(|| String::from_utf8_lossy(&by.statement)),
        };
        Self {
            outcome: answer.outcome.name(),
            conditions: conditions.collect(),
            decided_by: answer.decided_by.as_ref().map(decided),
        }
    }
}

#[derive(Debug, Serialize)]
struct DirectivesJson<'a> {
    application: &'a str,
    witness: &'a str,
    old: AskedJson<'a>,
    new: AskedJson<'a>,
}

#[derive(Debug, Serialize)]
struct AskedJson<'a> {
    directives: BTreeMap<&'a str, String>,
    lines: &'a [u32],
}

impl<'a> DirectivesJson<'a> {
    fn new(region: &'a DirectiveRegion) -> Self {
        let asked = |asked: &'a Directives| {
            let values = asked.values.iter();
            AskedJson {
                directives: values
                    .map(|(name, value)| (name.as_str(), value.to_string()))
                    .collect(),
                lines: &asked.lines,
            }
        };
        Self {
            application: &region.application,
            witness: &region.witness,
            old: asked(&region.old),
            new: asked(&region.new),
        }
    }
}

#[derive(Debug, Serialize)]
struct UrlsJson<'a> {
    count: usize,
    changed: Vec<ChangedUrlJson<'a>>,
}

#[derive(Debug, Serialize)]
struct ChangedUrlJson<'a> {
    url: &'a str,
    changes: Vec<UrlChangeJson<'a>>,
}

#[derive(Debug, Serialize)]
struct UrlChangeJson<'a> {
    names: Vec<NameJson<'a>>,
    what: &'a str,
}

impl<'a> UrlsJson<'a> {
    fn new(urls: &'a ChangedUrls<'_>) -> Self {
        let changed = urls.changed.iter().map(|one| ChangedUrlJson {
            url: &one.url,
            changes: one
                .changes
                .iter()
                .map(|(clients, what)| UrlChangeJson {
                    names: names(clients),
                    what,
                })
                .collect(),
        });
        Self {
            count: urls.count,
            changed: changed.collect(),
        }
    }
}
