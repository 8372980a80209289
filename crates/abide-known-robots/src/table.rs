//! The table, as `build/main.rs` writes it from `robots.toml`.

use crate::robot::{AnyGroup, Basis, Kind, KnownRobot, Purpose};
use abide::Usage;

include!(concat!(env!("OUT_DIR"), "/table.rs"));
