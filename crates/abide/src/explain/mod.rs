//! Evidence in words. Sites ask and robots honour; nothing here says *blocked* (REP-1).

mod condition;
mod counted;
mod sentence;
mod text;

pub use crate::visible::{misleads, quoted, shown, visible, visible_path, visible_url};
pub use counted::counted;
pub use sentence::{by_directives, conditions, directive_note, not_seen, outcome, place, why};
pub use text::{Layout, text};
