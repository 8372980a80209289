//! Tests of `abide-lint`.

#![allow(clippy::print_stdout, reason = "counts of what was tried")]

mod compare;
mod compare_corpus;
mod compare_hostile;
