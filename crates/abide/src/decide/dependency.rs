//! Usages that depend on another usage, or on another resource: step 8 (ACAP-89, ACAP-90, ACAP-96,
//! ACAP-97, ACAP-105, CLA-11).

use super::crawl;
use super::ruling::Ruling;
use crate::acap::{self, Substitute};
use crate::policy::Policy;
use crate::target::{Target, Version};
use crate::text::Part as _;
use crate::verdict::{
    Condition, Evidence, Notes, Outcome, Provenance, Reason, Role, Source, SourceDetails, Usage,
};
use std::borrow::Cow;
use std::net::Ipv4Addr;

/// Applies what one usage means for others: to each of [`Usage::ALL`] except crawl, in that order.
pub(super) struct Dependencies<'d, 'p> {
    policy: &'p Policy,
    target: &'d Target<'p>,
    crawl_prohibited: bool,
    preserve: Option<Preserving<'p>>,
}

/// What preserving says to the usages that present copies.
struct Preserving<'p> {
    prohibited: bool,
    until_recrawled: bool,
    cause: Option<Evidence<'p>>,
}

impl<'d, 'p> Dependencies<'d, 'p> {
    pub(super) fn new(crawl: Outcome, policy: &'p Policy, target: &'d Target<'p>) -> Self {
        Self {
            policy,
            target,
            crawl_prohibited: crawl == Outcome::Prohibited,
            preserve: None,
        }
    }

    pub(super) fn apply(&mut self, usage: Usage, ruling: &mut Ruling<'p>) {
        older_version(ruling, self.target);
        let pending = substitute(ruling, self.policy, self.target);
        let notes = match (self.crawl_prohibited, pending) {
            (true, true) => Notes::NeedsFetchAndPending,
            (true, false) => Notes::NeedsFetch,
            (false, true) => Notes::Pending,
            (false, false) => Notes::None,
        };
        for evidence in ruling.evidence.iter_mut().filter(|one| !one.is_not_seen()) {
            evidence.notes = notes;
        }
        if usage == Usage::Preserve {
            self.preserve = Some(Preserving {
                prohibited: ruling.outcome == Outcome::Prohibited,
                until_recrawled: ruling.conditions.contains(&Condition::UntilRecrawled),
                cause: ruling.evidence.first().cloned(),
            });
        } else if let Some(preserve) = &self.preserve {
            preserve.apply(usage, ruling);
        }
    }
}

impl<'p> Preserving<'p> {
    /// If no copy may be kept, none can be presented. If a copy may be kept only until the next
    /// crawl, an old copy cannot be presented.
    fn apply(&self, usage: Usage, ruling: &mut Ruling<'p>) {
        let reason = match usage {
            Usage::PresentCurrentcopy | Usage::PresentOldcopy if self.prohibited => {
                Reason::PreserveProhibited
            }
            Usage::PresentOldcopy if self.until_recrawled => Reason::PreserveUntilRecrawled,
            _ => return,
        };
        if ruling.outcome != Outcome::Prohibited {
            prohibit(ruling, reason, self.cause.clone());
        }
    }
}

/// Prohibits a usage of an older version (`History::version`) if the usage is permitted only until
/// the next crawl: that crawl has already happened, or the version would not be old.
fn older_version(ruling: &mut Ruling<'_>, target: &Target<'_>) {
    let is_old = target.history().version == Version::Old;
    if is_old && ruling.conditions.contains(&Condition::UntilRecrawled) {
        let cause = ruling.evidence.first().cloned();
        prohibit(ruling, Reason::OlderVersion, cause);
    }
}

/// Prohibits the usage if its conditions demand that another resource is used instead of the target
/// and that resource must not be crawled. Returns whether the usage has to wait until such a
/// resource is crawled.
fn substitute(ruling: &mut Ruling<'_>, policy: &Policy, target: &Target<'_>) -> bool {
    let mut uris = ruling
        .conditions
        .iter()
        .filter_map(|condition| match condition {
            Condition::MustUse(Substitute::Uri(uri)) => Some(uri),
            _ => None,
        })
        .peekable();
    if uris.peek().is_none() {
        return false;
    }
    let own = target.robots_url();
    let hindered = uris.any(|uri| !may_be_crawlable(uri, policy, own.as_deref()));
    if hindered {
        let cause = ruling.evidence.first().cloned();
        prohibit(ruling, Reason::SubstituteNotCrawlable, cause);
    }
    !hindered
}

/// Whether the resource at `uri` may be crawled, as far as the robots.txt at `robots_url` can tell.
/// It is about its own site only. Where a spelling leaves open which site that is, the resource
/// must be allowed as one of this site.
fn may_be_crawlable(uri: &str, policy: &Policy, robots_url: Option<&str>) -> bool {
    let url = acap::reference_url(&with_slashes(uri), robots_url);
    let Ok(substitute) = Target::new(&url) else {
        return false;
    };
    let is_elsewhere = substitute
        .robots_url()
        .zip(robots_url)
        .is_some_and(|(other, own)| {
            other != own && has_one_spelling(&other) && has_one_spelling(own)
        });
    is_elsewhere || crawl(policy, &substitute).outcome == Outcome::Permitted
}

/// `uri` with `/` for each `\` before its query, as web clients read it: `\\e.example\x` names a
/// host.
fn with_slashes(uri: &str) -> Cow<'_, str> {
    let end = uri.find('?').unwrap_or(uri.len());
    let path = uri.part(..end);
    if path.contains('\\') {
        Cow::Owned([&path.replace('\\', "/"), uri.part(end..)].concat())
    } else {
        Cow::Borrowed(uri)
    }
}

/// Whether the site of a robots.txt is certain: every client reads its host as written, and no
/// other spelling stands for it. Not so for letters outside ASCII and `xn--` names without any,
/// escapes, a dot at the end, addresses in unusual forms, and what is no web URL.
fn has_one_spelling(robots_url: &str) -> bool {
    let web = ["https://", "http://"];
    let Some(rest) = web.iter().find_map(|web| robots_url.strip_prefix(web)) else {
        return false;
    };
    let authority = rest.split('/').next().unwrap_or(rest);
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    if host.parse::<Ipv4Addr>().is_ok() {
        return true;
    }
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    let is_label = |label: &str| {
        let is_empty_name = label.starts_with("xn--") && label.ends_with('-');
        !label.is_empty() && label.bytes().all(is_plain) && !is_empty_name
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    // A last label that begins with a digit can be a number, and then the host is an address.
    host.split('.').all(is_label) && last.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Prohibits the usage, with the statement `cause` as evidence.
fn prohibit<'p>(ruling: &mut Ruling<'p>, reason: Reason, cause: Option<Evidence<'p>>) {
    let mut provenance = Provenance::of(Source::Dependency);
    if let Some(cause) = &cause {
        provenance.place = cause.place;
        provenance.statement = cause.statement;
        provenance.selected_by.clone_from(&cause.selected_by);
        if let Some(details) = &cause.details {
            provenance = provenance.with_details(SourceDetails {
                locator: details.locator.clone(),
                ..SourceDetails::default()
            });
        }
    }
    let mut evidence = Evidence::new(provenance, Role::Decided, reason);
    evidence.notes = cause.map_or(Notes::None, |cause| cause.notes);
    // A prohibition has no conditions, so none are carried over.
    ruling.prohibit(evidence);
    ruling.sort_evidence();
}
