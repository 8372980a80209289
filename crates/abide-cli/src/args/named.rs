//! Values with names.

use abide::Named;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// What the values with some names mean, for help.
pub(crate) type Meanings = &'static [(&'static str, &'static str)];

/// The readings of a file.
pub(crate) const PROFILES: Meanings = &[
    (
        "careful",
        "The literal requirements, and the cautious reading where they are silent",
    ),
    (
        "google",
        "The answers of google/robotstxt, with its deviations",
    ),
];

/// Reads the name of one of the values of `T`, all of which help lists.
pub(crate) fn one_of<T: Named + Send + Sync>(
    meanings: Meanings,
) -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|value| {
        let name = value.name();
        let meaning = meanings.iter().find(|(of, _)| *of == name);
        PossibleValue::new(name).help(meaning.map_or("", |(_, meaning)| meaning))
    });
    PossibleValuesParser::new(values).map(|name| T::by_name(&name).expect("it is one of the names"))
}

/// Reads one of these names, which are those of a type that not every build has.
pub(crate) fn name_in(meanings: Meanings) -> impl TypedValueParser<Value = &'static str> {
    let values = meanings.iter();
    let values = values.map(|(name, meaning)| PossibleValue::new(*name).help(*meaning));
    PossibleValuesParser::new(values).map(|given| {
        let mut names = meanings.iter().map(|(name, _)| *name);
        names
            .find(|name| *name == given)
            .expect("it is one of the names")
    })
}

/// Reads the name of one of the values of `T`, which the help of the option describes.
pub(super) fn by_name<T: Named>(name: &str) -> Result<T, String> {
    T::by_name(name.trim()).ok_or_else(|| format!("expected one of {}", T::listed()))
}
