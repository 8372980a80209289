//! What settings can be: numbers, texts, and types of their own.

use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;
use std::path::PathBuf;

/// What a setting takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingKind {
    /// `true` or `false`. The flag has no value.
    Switch,
    /// A whole number.
    Number,
    /// A text.
    #[default]
    Text,
    /// Several texts. The flag is repeated.
    List,
    /// One of these names, each with its meaning.
    OneOf(&'static [(&'static str, &'static str)]),
}

/// A type of settings.
pub(super) trait SettingValue {
    const KIND: SettingKind;

    /// The number, whose range is checked.
    fn number(&self) -> Option<u64> {
        None
    }
}

macro_rules! values {
    ($($type:ty => $kind:ident),+) => {
        $(impl SettingValue for $type {
            const KIND: SettingKind = SettingKind::$kind;
        })+
    };
}

values! { bool => Switch, String => Text, PathBuf => Text, Ports => Text, Vec<String> => List }

macro_rules! numbers {
    ($($type:ty),+) => {
        $(impl SettingValue for $type {
            const KIND: SettingKind = SettingKind::Number;

            fn number(&self) -> Option<u64> {
                u64::try_from(*self).ok()
            }
        })+
    };
}

numbers! { u32, u64, usize }

/// An enumeration as a setting. What a value means is in the help.
macro_rules! one_of {
    (
        $(#[$meta:meta])*
        enum $type:ident {
            $(#[doc = $help:literal] $(#[$default:meta])? $value:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
        pub enum $type {
            $(#[doc = $help] $(#[$default])? #[serde(rename = $name)] $value,)+
        }

        impl SettingValue for $type {
            const KIND: SettingKind =
                SettingKind::OneOf(&[$(($name, $help.trim_ascii_start())),+]);
        }
    };
}

one_of! {
    /// What happens to robots if a site has no robots.txt that can be read.
    #[expect(clippy::exhaustive_enums, reason = "faces name its values")]
    enum OnFailure {
        /// They pass
        #[default]
        Open = "open",
        /// They are refused
        Closed = "closed",
    }
}

one_of! {
    /// The form of logs.
    #[expect(clippy::exhaustive_enums, reason = "faces name its values")]
    enum LogFormat {
        /// One line of text per event
        Text = "text",
        /// One JSON object per event
        #[default]
        Json = "json",
    }
}

one_of! {
    /// Which requests are logged.
    #[expect(clippy::exhaustive_enums, reason = "faces name its values")]
    enum LogRequests {
        /// None
        None = "none",
        /// Those that got a status from 400
        #[default]
        Errors = "errors",
        /// All
        All = "all",
    }
}

/// The ports of sites that the service connects to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "GivenPorts", into = "GivenPorts")]
#[expect(clippy::exhaustive_enums, reason = "faces build it")]
pub enum Ports {
    /// All but those of other services.
    Any,
    /// These.
    Only(Vec<u16>),
}

/// Ports as a file has them: `[80, 443]` or `"any"`.
#[derive(Deserialize, Serialize)]
#[serde(
    untagged,
    expecting = "expected ports from 1 to 65535 such as [80, 443], or any"
)]
enum GivenPorts {
    Only(Vec<NonZeroU16>),
    Any(AnyPort),
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum AnyPort {
    Any,
}

impl From<GivenPorts> for Ports {
    fn from(given: GivenPorts) -> Self {
        match given {
            GivenPorts::Any(AnyPort::Any) => Self::Any,
            GivenPorts::Only(ports) => Self::Only(ports.into_iter().map(NonZeroU16::get).collect()),
        }
    }
}

impl From<Ports> for GivenPorts {
    fn from(ports: Ports) -> Self {
        match ports {
            Ports::Any => Self::Any(AnyPort::Any),
            Ports::Only(ports) => {
                Self::Only(ports.into_iter().filter_map(NonZeroU16::new).collect())
            }
        }
    }
}
