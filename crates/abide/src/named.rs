//! Enumerations whose values have names, and the error for a name that none of them has.

#[cfg(feature = "serde")]
use serde::de::{Deserializer, Unexpected, Visitor};
#[cfg(feature = "serde")]
use std::{fmt, marker::PhantomData};
use thiserror::Error;

/// A name that is not one of a fixed list, such as the usage `present-extract`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown {kind} {name:?}")]
#[non_exhaustive]
pub struct UnknownNameError {
    /// What the name should be, such as `usage`.
    pub kind: &'static str,
    /// The name as given.
    pub name: Box<str>,
}

impl UnknownNameError {
    /// The error for a `name` that is no name of a `kind`, such as `usage`.
    #[doc(hidden)]
    #[must_use]
    pub fn new(kind: &'static str, name: &str) -> Self {
        let name = name.into();
        Self { kind, name }
    }

    /// The one of `values` with this `name`, as `name_of` returns it.
    ///
    /// ```
    /// use abide::{Severity, UnknownNameError};
    /// let of = [Severity::Info, Severity::Warning];
    /// let read = |name| UnknownNameError::find("severity", name, of, Severity::name);
    /// assert_eq!(read("info"), Ok(Severity::Info));
    /// assert!(read("error").is_err());
    /// ```
    ///
    /// # Errors
    /// The error for a `name` that is no name of a `kind`, if none of them has it.
    #[doc(hidden)]
    pub fn find<T: Copy>(
        kind: &'static str,
        name: &str,
        values: impl IntoIterator<Item = T>,
        name_of: impl Fn(T) -> &'static str,
    ) -> Result<T, Self> {
        let mut values = values.into_iter();
        let found = values.find(|value| name_of(*value) == name);
        found.ok_or_else(|| Self::new(kind, name))
    }
}

/// An enumeration whose values have names: in data, in arguments, in tables and messages.
///
/// ```
/// use abide::{Named, Outcome};
/// let outcomes: Vec<_> = Outcome::names().collect();
/// assert!(outcomes.contains(&"permitted"));
/// ```
pub trait Named: Copy + 'static {
    /// Every value, in the order of the documentation.
    const ALL: &'static [Self];

    /// The name of the value.
    fn name(self) -> &'static str;

    /// The value with this name.
    #[must_use]
    fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }

    /// The names of all values.
    fn names() -> impl ExactSizeIterator<Item = &'static str> + Clone {
        Self::ALL.iter().map(|value| value.name())
    }

    /// The names of all values, as messages list them.
    #[must_use]
    fn listed() -> String {
        Self::names().collect::<Vec<_>>().join(", ")
    }
}

/// Reads a value by its name.
///
/// # Errors
/// The error for any other value.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub fn read<'de, T: Named, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_str(NameVisitor(PhantomData))
}

#[cfg(feature = "serde")]
struct NameVisitor<T>(PhantomData<T>);

#[cfg(feature = "serde")]
impl<T: Named> Visitor<'_> for NameVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match T::ALL {
            [one, other] => write!(f, "{:?} or {:?}", one.name(), other.name()),
            _ => write!(f, "one of {}", T::listed()),
        }
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<T, E> {
        T::by_name(name).ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
    }
}

/// Gives the values of an enumeration their names, and lists them: [`Named`], and `ALL` and `name`
/// as inherent items, which constants can use. With the features `serde` and `schema` it is data by
/// these names, too, which is written and read. A value that is not in the list does not compile.
///
/// With what the names are names of, such as `"usage"`, also implements `FromStr`.
///
/// Values with parts, such as `Status(503)`, have a name, and are neither listed nor read.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    (
        $type:ident, $kind:literal, [$($value:ident = $name:literal),+ $(,)?]
        $(, with parts [$($part:ident = $part_name:literal),+])?
    ) => {
        $crate::named!($type, [$($value = $name),+] $(, with parts [$($part = $part_name),+])?);

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownNameError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let found = <Self as $crate::Named>::by_name(name);
                found.ok_or_else(|| $crate::UnknownNameError::new($kind, name))
            }
        }
    };
    (
        $type:ident, [$($value:ident = $name:literal),+ $(,)?]
        $(, with parts [$($part:ident = $part_name:literal),+])?
    ) => {
        impl $type {
            /// Every value, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// The name of the value, in data, in arguments and in tables.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                    $($(Self::$part(..) => $part_name,)+)?
                }
            }
        }

        impl $crate::Named for $type {
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                Self::name(self)
            }
        }

        $crate::named_data!($type);
        $crate::named_schema!($type, [$($name),+ $($(, $part_name)+)?]);
    };
}

/// Writes and reads the values of an enumeration by their names.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! named_data {
    ($type:ident) => {
        impl $crate::data::serde::Serialize for $type {
            fn serialize<S: $crate::data::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> $crate::data::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::data::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::data::read(deserializer)
            }
        }
    };
}

/// Without the feature `serde`, nothing is data.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! named_data {
    ($type:ident) => {};
}

/// Describes an enumeration by the names of its values.
#[cfg(feature = "schema")]
#[doc(hidden)]
#[macro_export]
macro_rules! named_schema {
    ($type:ident, [$($name:literal),+]) => {
        impl $crate::data::schemars::JsonSchema for $type {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(
                _: &mut $crate::data::schemars::SchemaGenerator,
            ) -> $crate::data::schemars::Schema {
                let names: &[&str] = &[$($name),+];
                $crate::data::schemars::json_schema!({"type": "string", "enum": names})
            }
        }
    };
}

/// Without the feature `schema`, nothing is described.
#[cfg(not(feature = "schema"))]
#[doc(hidden)]
#[macro_export]
macro_rules! named_schema {
    ($type:ident, $names:tt) => {};
}
