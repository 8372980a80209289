//! What the tests of every face share, and nothing that ships: the format of the conformance
//! vectors and how they are read ([`vectors`]), a slow and obvious model of the requirements
//! ([`model`], [`acap_model`]), hostile inputs made by recipe ([`hostile`]), servers that fail as they are told
//! (`fault`, behind a feature of that name), what to do where a machine lacks something ([`needs`]), and the list of requirements with the question which of them
//! are covered ([`requirements`]).
//!
//! This crate does not know the engine. A test that shares its code with what it tests can only
//! find that both are wrong in the same way.

pub mod acap_model;
#[cfg(feature = "fault")]
pub mod fault;
pub mod hostile;
pub mod model;
pub mod needs;
pub mod requirements;
pub mod vectors;
