//! The client: names, purposes and options (docs/spec/decision.md).

use crate::acap::{AcapAsker, AcapMode, AcapProfile};
use crate::app::{Application, Registry};
use crate::preference::PreferenceProfile;
use crate::profile::Profile;
use crate::purpose::{PurposeToken, PurposeTokenError};
use crate::reading::{Reading, Readings};
use crate::rep::UserAgentLine;
use crate::rep::token::{ProductToken, ProductTokenError};
use crate::text::Limits;
use std::collections::BTreeSet;
use std::iter;
use std::sync::Arc;

/// The robot that a decision is for. Cheap to clone.
///
/// ```
/// use abide::{Client, ProductToken, Profile, PurposeToken};
/// let client = Client::new(ProductToken::new("ExampleBot-News")?)
///     .with_product_token(ProductToken::new("ExampleBot")?)
///     .with_purpose(PurposeToken::new("EXAMPLE-PURPOSE-1")?)
///     .with_profile(Profile::Careful);
/// assert_eq!(client.product_tokens().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client(Arc<Settings>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Settings {
    product_tokens: Vec<ProductToken>,
    purposes: Vec<PurposeToken>,
    profile: Profile,
    readings: Readings,
    limits: Option<Limits>,
    acap: AcapProfile,
    tag_rules: TagRules,
    body_metas: bool,
    any_group: bool,
    applications: Vec<Application>,
    registry: Option<Arc<Registry>>,
    preferences: Option<PreferenceProfile>,
    /// What the client sends to identify itself, and the names in it.
    identification: Option<Box<str>>,
    sent_names: Vec<ProductToken>,
}

/// Which robots tag rules count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TagRules {
    /// Those that abide knows.
    Known,
    /// Those that the draft registers.
    OfDraft,
    /// Those with these names, in lower case.
    Registered(BTreeSet<String>),
}

impl Client {
    /// A client with this name, the careful profile and no purposes.
    #[must_use]
    pub fn new(product_token: ProductToken) -> Self {
        Self::unnamed().with_product_token(product_token)
    }

    /// The client for every robot that no group names: only groups for `*` apply to it.
    ///
    /// ```
    /// use abide::Client;
    /// let file = b"User-agent: ExampleBot\nAllow: /\n\nUser-agent: *\nDisallow: /\n";
    /// assert!(!abide::allows(file, &Client::unnamed(), "/"));
    /// ```
    #[must_use]
    pub fn unnamed() -> Self {
        Self(Arc::new(Settings {
            product_tokens: Vec::new(),
            purposes: Vec::new(),
            profile: Profile::default(),
            readings: Readings::default(),
            limits: None,
            acap: AcapProfile::default(),
            tag_rules: TagRules::Known,
            body_metas: false,
            any_group: true,
            applications: Vec::new(),
            registry: None,
            preferences: None,
            identification: None,
            sent_names: Vec::new(),
        }))
    }

    /// Adds another name. The first name that has a group decides, and groups of later names are
    /// ignored (AMB-REP-23). The google profile merges the groups of all names.
    #[must_use]
    pub fn with_product_token(self, token: ProductToken) -> Self {
        self.with(|settings| settings.product_tokens.push(token))
    }

    /// Adds a purpose that the client claims. Groups of any of its purposes merge (AMB-PUR-8).
    #[must_use]
    pub fn with_purpose(self, purpose: PurposeToken) -> Self {
        self.with(|settings| settings.purposes.push(purpose))
    }

    /// Sets how to read what the specifications leave open [default: careful].
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> Self {
        self.with(|settings| settings.profile = profile)
    }

    /// Sets how to read one ambiguous point, in place of an earlier reading of the same ID
    /// [default: the readings that abide decided on]. Readings count in the careful profile only.
    #[must_use]
    pub fn with_reading(self, reading: Reading) -> Self {
        self.with(|settings| settings.readings = settings.readings.with(reading))
    }

    /// Sets how much of a robots.txt is read (REP-81) [default: 500 KiB; google profile: 16 MiB].
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        self.with(|settings| settings.limits = Some(limits))
    }

    /// Sets the names, purposes and arrangements of the client for ACAP [default: the product
    /// tokens as names, no purposes, no arrangements; ACAP records count in full].
    #[must_use]
    pub fn with_acap(self, acap: AcapProfile) -> Self {
        self.with(|settings| settings.acap = acap)
    }

    /// Sets whether robots tag rules of vendors count, such as `nofollow` and `max-snippet`
    /// [default: true].
    #[must_use]
    pub fn with_vendor_rules(self, count: bool) -> Self {
        self.with(|settings| {
            settings.tag_rules = if count {
                TagRules::Known
            } else {
                TagRules::OfDraft
            };
        })
    }

    /// Sets which robots tag rules count: those with these names, in any case, as a registry of
    /// robots control rules has them (TAG-39). A rule that abide does not know has no effect, but
    /// it is not unknown.
    ///
    /// ```
    /// use abide::tag::{FieldLine, Response};
    /// use abide::{Client, Outcome, Policy, Target, Usage};
    /// let client = Client::unnamed().with_tag_rules(["noindex", "nosnippet"]);
    /// let policy = Policy::compile(b"", &client);
    /// let response = Response::new(&[FieldLine::new("Robots-Tag", "*;noindex;noarchive")]);
    /// let decision = policy.decide(&Target::new("/x")?.with_response(&response));
    /// assert_eq!(decision.outcome(Usage::Index), Outcome::Prohibited);
    /// assert_eq!(decision.outcome(Usage::Preserve), Outcome::Unspecified);
    /// assert!(decision.unknown_tag_rules.contains("noarchive"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_tag_rules<'n>(self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let names = names.into_iter().map(str::to_ascii_lowercase).collect();
        self.with(|settings| settings.tag_rules = TagRules::Registered(names))
    }

    /// Sets whether robots meta elements outside a page's head count (AMB-TAG-10) [default: false].
    #[must_use]
    pub fn with_body_metas(self, count: bool) -> Self {
        self.with(|settings| settings.body_metas = count)
    }

    /// Sets whether groups for `*` apply to the client [default: true]. RFC 9309 says so, but the
    /// operators of a few robots document that only groups with their own names apply.
    ///
    /// ```
    /// use abide::{Client, ProductToken};
    /// let client = Client::new(ProductToken::new("ExampleAds")?).with_any_group(false);
    /// assert!(abide::allows(b"User-agent: *\nDisallow: /\n", &client, "/"));
    /// # Ok::<(), abide::ProductTokenError>(())
    /// ```
    #[must_use]
    pub fn with_any_group(self, applies: bool) -> Self {
        self.with(|settings| settings.any_group = applies)
    }

    /// Adds an application. Decisions list the directives for it (APP-10).
    #[must_use]
    pub fn with_application(self, application: Application) -> Self {
        self.with(|settings| settings.applications.push(application))
    }

    /// Sets the registry of applications and their directives (APP-25 to APP-30).
    #[must_use]
    pub fn with_registry(self, registry: impl Into<Arc<Registry>>) -> Self {
        let registry = registry.into();
        self.with(|settings| settings.registry = Some(registry))
    }

    /// Asks for AI preferences: decisions then also answer for
    /// [`Usage::PREFERENCES`](crate::Usage::PREFERENCES) (PREF-2) [default: they do not].
    #[must_use]
    pub fn with_preferences(self, profile: PreferenceProfile) -> Self {
        self.with(|settings| settings.preferences = Some(profile))
    }

    /// Asks for no application.
    #[must_use]
    pub fn without_applications(self) -> Self {
        self.with(|settings| settings.applications.clear())
    }

    /// Asks for no AI preferences.
    #[must_use]
    pub fn without_preferences(self) -> Self {
        self.with(|settings| settings.preferences = None)
    }

    /// Sets the identification string that the client sends (in HTTP, the value of `User-Agent`).
    /// Where a file names no product token of the client, a group counts that names another product
    /// or word of this line, in the order of [`UserAgentLine::names`] (CLA-23).
    /// [`Policy::diagnostics`](crate::Policy::diagnostics) then say where its purposes are not
    /// those of the client (PUR-4, CLA-22).
    ///
    /// ```
    /// use abide::{Client, Code, Policy, ProductToken};
    /// let sent = "ExampleBot/0.1 (ExamplePurpose; https://www.example.com/bot.html)";
    /// let client = Client::new(ProductToken::new("ExampleBot")?).with_identification(sent);
    /// let policy = Policy::compile(b"User-Agent-Purpose: ExamplePurpose\n", &client);
    /// let mut found = policy.diagnostics().iter();
    /// assert!(found.any(|finding| finding.code == Code::PurposeNotClaimed));
    /// # Ok::<(), abide::ProductTokenError>(())
    /// ```
    #[must_use]
    pub fn with_identification(self, sent: &str) -> Self {
        let line = UserAgentLine::new(sent);
        let names = line
            .names()
            .map(|(name, _)| ProductToken::nonstandard(name));
        self.with(|settings| {
            settings.identification = Some(sent.into());
            settings.sent_names = names.flatten().collect();
        })
    }

    fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// The client's names, in order of preference; empty for [`Client::unnamed`].
    #[must_use]
    pub fn product_tokens(&self) -> &[ProductToken] {
        &self.0.product_tokens
    }

    /// The purposes that the client claims.
    #[must_use]
    pub fn purposes(&self) -> &[PurposeToken] {
        &self.0.purposes
    }

    /// How the client reads what the specifications leave open.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.0.profile
    }

    /// The readings that the client chose and that are not abide's own, in the order of
    /// [`Reading::ALL`].
    pub fn readings(&self) -> impl Iterator<Item = Reading> {
        self.chosen_readings().iter()
    }

    /// The readings that count in place of abide's own.
    #[inline]
    pub(crate) fn chosen_readings(&self) -> Readings {
        self.0.readings.within(self.0.profile)
    }

    /// Whether the client chose a reading that is not abide's own.
    #[inline]
    pub(crate) fn reads(&self, reading: Reading) -> bool {
        self.chosen_readings().has(reading)
    }

    /// How much of a robots.txt is read for this client.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.0.limits.unwrap_or(match self.0.profile {
            Profile::Careful => Limits::default(),
            Profile::Google => Limits::GOOGLE,
        })
    }

    /// Which robots tag rules count.
    pub(crate) fn tag_rules(&self) -> &TagRules {
        &self.0.tag_rules
    }

    /// Whether groups for `*` apply to the client.
    #[must_use]
    pub fn any_group(&self) -> bool {
        self.0.any_group
    }

    /// Whether robots meta elements outside a page's head count.
    pub(crate) fn body_metas(&self) -> bool {
        self.0.body_metas
    }

    /// The applications whose directives decisions list.
    #[must_use]
    pub fn applications(&self) -> &[Application] {
        &self.0.applications
    }

    /// The registry of applications and their directives.
    #[must_use]
    pub fn registry(&self) -> Option<&Registry> {
        self.0.registry.as_deref()
    }

    /// Which AI preferences the client asks for, if it does.
    #[must_use]
    pub fn preferences(&self) -> Option<&PreferenceProfile> {
        self.0.preferences.as_ref()
    }

    /// The identification string that the client sends, if it is known.
    #[must_use]
    pub fn identification(&self) -> Option<&str> {
        self.0.identification.as_deref()
    }

    /// The names that groups can have for the client, the strongest first: its product tokens, and
    /// then what else it sends.
    pub(crate) fn group_names(&self) -> impl Iterator<Item = &ProductToken> {
        self.0.product_tokens.iter().chain(&self.0.sent_names)
    }

    /// The names, purposes and arrangements of the client for ACAP.
    #[must_use]
    pub fn acap(&self) -> &AcapProfile {
        &self.0.acap
    }

    /// How many bytes its names take in memory: those of robots, purposes, applications and control
    /// tokens. For caches whose clients come from requests.
    #[must_use]
    pub fn size(&self) -> usize {
        let names = |tokens: &[ProductToken]| {
            let lengths = tokens.iter().map(|token| token.as_str().len());
            size_of_names(lengths)
        };
        let Settings {
            product_tokens,
            purposes,
            acap,
            applications,
            preferences,
            identification,
            ..
        } = &*self.0;
        let purposes = purposes.iter().map(|purpose| purpose.as_str().len());
        let acap = acap.names.iter().chain(&acap.purposes).map(String::len);
        let ids = applications.iter().map(|one| one.id().len());
        // Those that have the same tokens follow each other, as a rule.
        let before = iter::once(None).chain(applications.iter().map(Some));
        let own = applications.iter().zip(before);
        let own =
            own.filter(|(one, before)| before.is_none_or(|before| !one.shares_tokens(before)));
        let own = own.map(|(one, _)| names(one.product_tokens()));
        let tokens = preferences
            .iter()
            .flat_map(|profile| &profile.control_tokens);
        let tokens = tokens.map(|control_token| {
            control_token
                .token
                .as_str()
                .len()
                .saturating_add(control_token.usages.len())
        });
        let identification = identification.as_deref().map_or(0, str::len);
        own.fold(identification, usize::saturating_add)
            .saturating_add(names(product_tokens))
            .saturating_add(size_of_names(purposes.chain(acap).chain(ids).chain(tokens)))
    }

    /// The client, as ACAP records see it. `None` if they do not count for it, as in the google
    /// profile (CLA-16), or without the feature `acap`.
    pub(crate) fn for_acap(&self) -> Option<AcapAsker<'_>> {
        let counts = cfg!(feature = "acap")
            && self.0.acap.mode != AcapMode::Off
            && self.0.profile == Profile::Careful;
        counts.then(|| AcapAsker {
            profile: &self.0.acap,
            tokens: self.product_tokens(),
        })
    }

    /// Checks that the identification string that the client sends (in HTTP, the value of
    /// `User-Agent`) contains the names that it looks for in robots.txt (REP-25, REP-26, PUR-4). An
    /// empty result means that it does.
    ///
    /// ```
    /// use abide::{Client, ProductToken};
    /// let sent = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// assert!(client.check_identification(sent).is_empty());
    /// # Ok::<(), abide::ProductTokenError>(())
    /// ```
    #[must_use]
    pub fn check_identification(&self, sent: &str) -> Vec<IdentificationError> {
        let sent_folded = sent.to_ascii_lowercase();
        let missing = |token: &str| !sent_folded.contains(&token.to_ascii_lowercase());
        let tokens = self
            .product_tokens()
            .iter()
            .map(ProductToken::as_str)
            .filter(|t| missing(t));
        let purposes = self
            .purposes()
            .iter()
            .map(PurposeToken::as_str)
            .filter(|t| missing(t));
        let contact = ["http://", "https://", "@"]
            .iter()
            .any(|mark| sent_folded.contains(mark));
        tokens
            .map(|token| IdentificationError::ProductTokenMissing {
                token: token.into(),
            })
            .chain(purposes.map(|token| IdentificationError::PurposeMissing {
                token: token.into(),
            }))
            .chain((!contact).then_some(IdentificationError::NoContact))
            .collect()
    }
}

/// How many bytes names of these lengths take: each has an entry of a list, and a place on the
/// heap.
fn size_of_names(lengths: impl Iterator<Item = usize>) -> usize {
    const EACH: usize = 64;
    lengths.fold(0, |sum, length| {
        sum.saturating_add(EACH).saturating_add(length)
    })
}

/// A client in plain text, as arguments, configuration files and requests describe it.
///
/// ```
/// use abide::{ClientNames, Profile};
/// let client = ClientNames {
///     agents: &["ExampleBot-News", "ExampleBot"],
///     purposes: &["EXAMPLE-PURPOSE-1"],
///     profile: Profile::Careful,
///     nonstandard: false,
/// }
/// .client()?;
/// assert_eq!(client.product_tokens().len(), 2);
/// # Ok::<(), abide::ClientError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct ClientNames<'n, S> {
    /// Product tokens, in order of preference; at least one.
    pub agents: &'n [S],
    /// Purposes.
    pub purposes: &'n [S],
    /// How to read what the specifications leave open.
    pub profile: Profile,
    /// Whether product tokens may be outside RFC 9309 ([`ProductToken::nonstandard`]).
    pub nonstandard: bool,
}

impl<S: AsRef<str>> ClientNames<'_, S> {
    /// Builds the client.
    ///
    /// # Errors
    /// [`ClientError`] without a product token, and for an invalid product token or purpose.
    pub fn client(&self) -> Result<Client, ClientError> {
        let token = |name: &S| ProductToken::read(name.as_ref(), self.profile, self.nonstandard);
        let (first, others) = self.agents.split_first().ok_or(ClientError::NoAgent)?;
        let mut client = Client::new(token(first)?).with_profile(self.profile);
        for name in others {
            client = client.with_product_token(token(name)?);
        }
        for purpose in self.purposes {
            client = client.with_purpose(PurposeToken::new(purpose.as_ref())?);
        }
        Ok(client)
    }
}

/// Why there is no client of these names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// There is no product token.
    #[error("expected at least one product token")]
    NoAgent,
    /// A product token is invalid.
    #[error(transparent)]
    Agent(#[from] ProductTokenError),
    /// A purpose is invalid.
    #[error(transparent)]
    Purpose(#[from] PurposeTokenError),
}

/// What an identification string lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdentificationError {
    /// A product token is missing; a warning (REP-25).
    #[error(
        "the product token {token:?} should be part of the identification string (RFC 9309, 2.2.1)"
    )]
    ProductTokenMissing {
        /// The token.
        token: Box<str>,
    },
    /// A purpose is missing; an error (PUR-4).
    #[error(
        "the purpose {token:?} must be part of the identification string (draft-illyes-rep-purpose, 2.2)"
    )]
    PurposeMissing {
        /// The purpose.
        token: Box<str>,
    },
    /// There is neither a URL nor an e-mail address; a warning (REP-26).
    #[error(
        "the identification string should lead to a description of the crawler, such as a URL (RFC 9309, 2.2.1)"
    )]
    NoContact,
}
