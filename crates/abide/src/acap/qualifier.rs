//! Qualifiers, by name (ACAP-78).

/// What a permission can be restricted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Qualifier {
    /// `time-limit`
    TimeLimit,
    /// `max-length`
    MaxLength,
    /// `prohibited-modification`
    ProhibitedModification,
    /// `prohibited-context`
    ProhibitedContext,
    /// `required-context`
    RequiredContext,
    /// `must-use-resource`
    MustUseResource,
    /// `must-include-resource`
    MustIncludeResource,
}

impl Qualifier {
    /// All qualifiers of ACAP 1.0.
    pub const ALL: [Qualifier; 7] = [
        Self::TimeLimit,
        Self::MaxLength,
        Self::ProhibitedModification,
        Self::ProhibitedContext,
        Self::RequiredContext,
        Self::MustUseResource,
        Self::MustIncludeResource,
    ];

    /// The qualifier of this name, whatever its case (ACAP-11).
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|qualifier| qualifier.name().eq_ignore_ascii_case(name))
    }

    /// The qualifier's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TimeLimit => "time-limit",
            Self::MaxLength => "max-length",
            Self::ProhibitedModification => "prohibited-modification",
            Self::ProhibitedContext => "prohibited-context",
            Self::RequiredContext => "required-context",
            Self::MustUseResource => "must-use-resource",
            Self::MustIncludeResource => "must-include-resource",
        }
    }
}
