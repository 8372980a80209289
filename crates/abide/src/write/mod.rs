//! Writes what sites say: `Robots-Tag` and `X-Robots-Tag` fields, groups of robots.txt, also for
//! purposes, and lines of `App-Directives`, `Content-Usage` and `Content-Signal`.
//!
//! A writer collects what is to be said, and then writes it, or says in a [`WriteError`] what its
//! document has no text for, and where. What is written reads back as what was collected.
//! [`FieldRules`] say which responses of a site get which fields.
//!
//! ```
//! use abide::PurposeToken;
//! use abide::preference::Revision;
//! use abide::tag::{Scope, StatedRule};
//! use abide::verdict::Sense;
//! use abide::write::{GroupWriter, PreferenceWriter, RobotsTagWriter};
//! use abide::Usage;
//!
//! let bot = Scope::Token("ExampleBot".to_owned());
//! let tags = RobotsTagWriter::new()
//!     .with_rule(Scope::Everyone, StatedRule::new("nosnippet", None))
//!     .with_rule(bot, StatedRule::new("max-snippet", Some("10".to_owned())));
//! assert_eq!(tags.robots_tag()?, "*;nosnippet, ExampleBot;max-snippet=10");
//!
//! let preference = PreferenceWriter::content_usage(Revision::latest()).with(Usage::Train, false);
//! let group = GroupWriter::new()
//!     .for_purpose(&PurposeToken::new("AI-TRAINING")?)
//!     .with_rule(Sense::Disallow, "/archive/")
//!     .with_preference(preference);
//! assert_eq!(
//!     group.text()?,
//!     "User-Agent-Purpose: AI-TRAINING\nDisallow: /archive/\nContent-Usage: train-ai=n\n"
//! );
//!
//! let rule = StatedRule::new("No Index", None);
//! let wrong = RobotsTagWriter::new().with_rule(Scope::Everyone, rule);
//! assert_eq!(
//!     wrong.robots_tag().unwrap_err().to_string(),
//!     "Robots-Tag, rule 1 of *: expected a name of lower-case letters, digits, '_', '-', '.' and \
//!      '*' that begins with a letter or '*', but found \"No Index\""
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod directives;
mod error;
mod fields;
mod group;
mod item;
mod preference;
mod tags;

pub use directives::DirectivesWriter;
pub use error::{WriteError, WriteFault};
pub use fields::{FieldRules, ResponseField};
pub use group::GroupWriter;
pub use preference::PreferenceWriter;
pub use tags::RobotsTagWriter;
