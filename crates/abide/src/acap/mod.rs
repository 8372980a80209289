//! ACAP 1.0, so far its vocabulary: lines are recognised and kept in a stream of their own
//! ([`Robots::acap_lines`](crate::Robots::acap_lines)), and a client can say what it is to ACAP.

mod profile;
mod qualifier;

pub use profile::{AcapMode, AcapProfile};
pub use qualifier::Qualifier;
