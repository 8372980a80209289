//! What is said about a usage, and by what: the vocabulary that all specifications share.

mod condition;
mod evidence;
mod outcome;
pub(crate) mod resource;
mod usage;

pub use condition::{Condition, Context, ImagePreview, Modification};
pub use evidence::{Evidence, Place, Reason, Role, SelectedBy, Selection, Sense, Source, TagPlace};
pub use outcome::Outcome;
pub use usage::Usage;
