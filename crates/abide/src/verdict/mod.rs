//! The parts of evidence that all specifications share: sources, roles, reasons, places.

pub(crate) mod condition;
pub(crate) mod evidence;
pub(crate) mod evidence_list;
pub(crate) mod outcome;
pub(crate) mod resource;
pub(crate) mod usage;
pub(crate) mod usage_decision;
pub(crate) mod vocabulary;

#[cfg(feature = "serde")]
pub use condition::WrittenCondition;
pub use condition::{ConditionKind, Context, ImagePreview, Modification};
pub use evidence::{
    Note, Place, Provenance, Reason, Role, SelectedBy, Selection, SelectionLevel, Sense, Source,
};
pub use evidence_list::{EvidenceList, Iter};

// Public at the root of the crate, in `tag` or in `preference`.
pub(crate) use condition::Condition;
pub(crate) use evidence::{Evidence, Notes, SourceDetails};
pub(crate) use evidence_list::SharedEvidence;
pub(crate) use outcome::Outcome;
pub(crate) use usage::Usage;
pub(crate) use usage_decision::UsageDecision;
pub(crate) use vocabulary::Vocabulary;
