//! The conditions of a conditional outcome (docs/spec/decision.md, CLA-4).

use super::resource::{Inclusion, Substitute};
use super::usage::Usage;
use crate::moment::{Day, Moment};
use std::fmt;

/// A condition on a usage. As data it is a [`WrittenCondition`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        with = "WrittenCondition",
        description = "What a conditional outcome demands."
    )
)]
#[non_exhaustive]
pub enum Condition {
    /// `max-image-preview`: images of at most this size.
    MaxImagePreview(ImagePreview),
    /// `max-length`: at most this many characters.
    MaxLengthChars(u64),
    /// `max-length`: at most this many words.
    MaxLengthWords(u64),
    /// `max-video-preview`: at most this many seconds.
    MaxVideoPreview(u64),
    /// `must-include-resource`: only together with this.
    MustInclude(Inclusion),
    /// `must-use-resource`: only by means of this.
    MustUse(Substitute),
    /// `prohibited-context`: not in this context.
    ProhibitedContext(Context),
    /// `prohibited-modification`: not to be changed in this way.
    ProhibitedModification(Modification),
    /// `required-context`: only in this context.
    RequiredContext(Context),
    /// `time-limit`: this many days from the first time that it was done.
    Days(u64),
    /// `time-limit`: until this instant.
    Until(Moment),
    /// `time-limit`: until the end of this day, in UTC (ACAP-84, AMB-ACAP-12).
    UntilDay(Day),
    /// `time-limit`: until the resource is crawled again.
    UntilRecrawled,
    /// `max-use`: content may be used at most to this level (PREF-53).
    MaxUse(UseLevel),
    /// `payment`: a licence asks for this kind of payment (PREF-102).
    Payment(String),
    /// `licence-server`: a licence is to be had from the server at this URL (PREF-102).
    LicenceServer(String),
    /// `reporting`: a licence asks for reports of this kind (PREF-102).
    Reporting(String),
    /// `licensed-user`: a licence is for users of these kinds (PREF-102).
    LicensedUser(String),
    /// `licensed-geo`: a licence is for these places (PREF-102).
    LicensedGeo(String),
    /// `excluded-user`: a licence is not for users of these kinds (PREF-102).
    ExcludedUser(String),
    /// `excluded-geo`: a licence is not for these places (PREF-102).
    ExcludedGeo(String),
}

#[cfg(feature = "serde")]
impl serde::Serialize for Condition {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenCondition::from(self).serialize(serializer)
    }
}

/// What a conditional outcome demands.
#[cfg(feature = "serde")]
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Condition"))]
#[non_exhaustive]
pub struct WrittenCondition {
    /// What it is about.
    pub kind: ConditionKind,
    /// In the words of the source: `50-chars`, `standard`, an instant.
    pub value: String,
}

#[cfg(feature = "serde")]
impl From<&Condition> for WrittenCondition {
    fn from(condition: &Condition) -> Self {
        Self {
            kind: condition.kind(),
            value: condition.value(),
        }
    }
}

/// What a condition is about: the name of the ACAP qualifier or robots tag rule, or what a
/// preference asks for. In the order of the names, in which decisions list conditions (CLA-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ConditionKind {
    /// A licence is not for these places (PREF-102).
    ExcludedGeo,
    /// A licence is not for users of these kinds (PREF-102).
    ExcludedUser,
    /// A licence is to be had from the server at this URL (PREF-102).
    LicenceServer,
    /// A licence is for these places (PREF-102).
    LicensedGeo,
    /// A licence is for users of these kinds (PREF-102).
    LicensedUser,
    /// Images of at most this size.
    MaxImagePreview,
    /// At most this many characters or words.
    MaxLength,
    /// Content may be used at most to this level (PREF-53).
    MaxUse,
    /// At most this many seconds.
    MaxVideoPreview,
    /// Only together with this.
    MustIncludeResource,
    /// Only by means of this.
    MustUseResource,
    /// A licence asks for this kind of payment (PREF-102).
    Payment,
    /// Not in this context.
    ProhibitedContext,
    /// Not to be changed in this way.
    ProhibitedModification,
    /// A licence asks for reports of this kind (PREF-102).
    Reporting,
    /// Only in this context.
    RequiredContext,
    /// For so many days, or until this instant, day or crawl.
    TimeLimit,
}

crate::named!(
    ConditionKind,
    "condition",
    [
        ExcludedGeo = "excluded-geo",
        ExcludedUser = "excluded-user",
        LicenceServer = "licence-server",
        LicensedGeo = "licensed-geo",
        LicensedUser = "licensed-user",
        MaxImagePreview = "max-image-preview",
        MaxLength = "max-length",
        MaxUse = "max-use",
        MaxVideoPreview = "max-video-preview",
        MustIncludeResource = "must-include-resource",
        MustUseResource = "must-use-resource",
        Payment = "payment",
        ProhibitedContext = "prohibited-context",
        ProhibitedModification = "prohibited-modification",
        Reporting = "reporting",
        RequiredContext = "required-context",
        TimeLimit = "time-limit"
    ]
);

impl fmt::Display for ConditionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Levels up to which content may be used, the more restrictive first (PREF-52).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UseLevel {
    /// `immediate`
    Immediate,
    /// `reference`
    Reference,
    /// `full`
    Full,
}

crate::named!(
    UseLevel,
    "level of use",
    [
        Immediate = "immediate",
        Reference = "reference",
        Full = "full"
    ]
);

/// Sizes of image previews, the more restrictive first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ImagePreview {
    /// `standard`
    Standard,
    /// `large`
    Large,
}

/// Ways to change a resource when presenting it (ACAP-108).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Modification {
    /// `any`
    Any,
    /// `format`: such as from PDF to HTML.
    Format,
    /// `style`: typography and layout.
    Style,
    /// `translation`
    Translation,
    /// `annotation`: such as ratings by readers.
    Annotation,
}

crate::named!(
    Modification,
    "modification",
    [
        Any = "any",
        Format = "format",
        Style = "style",
        Translation = "translation",
        Annotation = "annotation"
    ]
);

/// Where a resource is presented (ACAP-113, ACAP-114).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Context {
    /// `within-user-frame`: a frame that the user builds.
    UserFrame,
    /// `within-original-frame`: a frame like the one that the original has.
    OriginalFrame,
}

crate::named!(
    Context,
    "context",
    [
        UserFrame = "within-user-frame",
        OriginalFrame = "within-original-frame"
    ]
);

impl Condition {
    /// The kind.
    #[must_use]
    pub const fn kind(&self) -> ConditionKind {
        match self {
            Self::MaxImagePreview(_) => ConditionKind::MaxImagePreview,
            Self::MaxLengthChars(_) | Self::MaxLengthWords(_) => ConditionKind::MaxLength,
            Self::MaxVideoPreview(_) => ConditionKind::MaxVideoPreview,
            Self::MustInclude(_) => ConditionKind::MustIncludeResource,
            Self::MustUse(_) => ConditionKind::MustUseResource,
            Self::ProhibitedContext(_) => ConditionKind::ProhibitedContext,
            Self::ProhibitedModification(_) => ConditionKind::ProhibitedModification,
            Self::RequiredContext(_) => ConditionKind::RequiredContext,
            Self::Days(_) | Self::Until(_) | Self::UntilDay(_) | Self::UntilRecrawled => {
                ConditionKind::TimeLimit
            }
            Self::MaxUse(_) => ConditionKind::MaxUse,
            Self::Payment(_) => ConditionKind::Payment,
            Self::LicenceServer(_) => ConditionKind::LicenceServer,
            Self::Reporting(_) => ConditionKind::Reporting,
            Self::LicensedUser(_) => ConditionKind::LicensedUser,
            Self::LicensedGeo(_) => ConditionKind::LicensedGeo,
            Self::ExcludedUser(_) => ConditionKind::ExcludedUser,
            Self::ExcludedGeo(_) => ConditionKind::ExcludedGeo,
        }
    }

    /// The value, as the decision contract writes it: `50-chars`, `standard`, an instant.
    #[must_use]
    pub fn value(&self) -> String {
        match self {
            Self::MaxImagePreview(ImagePreview::Standard) => "standard".to_owned(),
            Self::MaxImagePreview(ImagePreview::Large) => "large".to_owned(),
            Self::MaxLengthChars(chars) => format!("{chars}-chars"),
            Self::MaxLengthWords(words) => format!("{words}-words"),
            Self::MaxVideoPreview(seconds) => seconds.to_string(),
            Self::MustInclude(inclusion) => inclusion.to_string(),
            Self::MustUse(substitute) => substitute.to_string(),
            Self::ProhibitedContext(context) | Self::RequiredContext(context) => {
                context.name().to_owned()
            }
            Self::ProhibitedModification(modification) => modification.name().to_owned(),
            Self::Days(days) => format!("{days}-days"),
            Self::Until(moment) => moment.to_string(),
            Self::UntilDay(day) => format!("until-{day}"),
            Self::UntilRecrawled => "until-recrawled".to_owned(),
            Self::MaxUse(level) => level.name().to_owned(),
            Self::Payment(value)
            | Self::LicenceServer(value)
            | Self::Reporting(value)
            | Self::LicensedUser(value)
            | Self::LicensedGeo(value)
            | Self::ExcludedUser(value)
            | Self::ExcludedGeo(value) => value.clone(),
        }
    }

    /// Adds a condition to those that hold already. Of one form the stricter stands: the smaller
    /// number, the earlier date. Different forms all stay, and all have to be met; of modifications
    /// `any` takes in the others. The list stays sorted by kind, then value (CLA-4).
    pub(crate) fn join(self, conditions: &mut Vec<Condition>) {
        let any = Self::ProhibitedModification(Modification::Any);
        if self.kind() == any.kind() && conditions.contains(&any) {
            return;
        }
        if self == any {
            conditions.retain(|other| other.kind() != any.kind());
        }
        // A file may name thousands of resources that have to be used, so neither of the searches
        // looks at all conditions.
        let kind = self.kind();
        if self.is_limit() {
            let from = conditions.partition_point(|other| other.kind() < kind);
            let own = conditions.iter().skip(from);
            let mut own = own.take_while(|other| other.kind() == kind);
            if let Some(at) = own.position(|other| other.is_of_one_form_with(&self)) {
                let at = from.saturating_add(at);
                if !conditions
                    .get(at)
                    .is_some_and(|other| self.is_stricter_than(other))
                {
                    return;
                }
                conditions.remove(at);
            }
        }
        let value = self.value();
        let at =
            conditions.partition_point(|other| (other.kind(), &*other.value()) < (kind, &*value));
        if conditions.get(at) != Some(&self) {
            conditions.insert(at, self);
        }
    }

    /// Whether a stricter condition of its form replaces it. There is at most one of each form.
    fn is_limit(&self) -> bool {
        self.is_of_one_form_with(self)
    }

    /// Whether only the stricter of two conditions counts.
    fn is_of_one_form_with(&self, other: &Self) -> bool {
        matches!(
            (self, other),
            (
                Self::Until(_) | Self::UntilDay(_),
                Self::Until(_) | Self::UntilDay(_)
            ) | (Self::MaxImagePreview(_), Self::MaxImagePreview(_))
                | (Self::MaxLengthChars(_), Self::MaxLengthChars(_))
                | (Self::MaxLengthWords(_), Self::MaxLengthWords(_))
                | (Self::MaxVideoPreview(_), Self::MaxVideoPreview(_))
                | (Self::Days(_), Self::Days(_))
                | (Self::MaxUse(_), Self::MaxUse(_))
        )
    }

    /// Of two conditions of one form.
    pub(crate) fn is_stricter_than(&self, other: &Self) -> bool {
        match (self.last_second(), other.last_second()) {
            (Some(own), Some(others)) => own < others,
            _ => self < other,
        }
    }

    /// The last second in which a time limit of `usage` holds, if that is known. Days count from
    /// the `first` time that the resource was indexed, or copied.
    pub(crate) fn end(
        &self,
        usage: Usage,
        (indexed, copied): (Option<Moment>, Option<Moment>),
    ) -> Option<Moment> {
        let since = if usage == Usage::Index {
            indexed
        } else {
            copied
        };
        match self {
            Self::Days(days) => Some(since?.after_days(*days)),
            other => other.last_second(),
        }
    }

    /// The last second in which a limit to a date or an instant still holds.
    pub(crate) fn last_second(&self) -> Option<Moment> {
        match self {
            Self::Until(moment) => Some(*moment),
            Self::UntilDay(day) => Some(day.last_second()),
            _ => None,
        }
    }
}

/// In the contract's words: `max-length 50-chars`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.value())
    }
}
