//! abide itself, by its public entry points.

use super::{AGENT, Parser};
use crate::corpus::Case;
use abide::{Client, Policy, ProductToken};
use std::sync::LazyLock;

/// abide.
#[derive(Debug)]
pub struct Abide;

static CLIENT: LazyLock<Client> =
    LazyLock::new(|| Client::new(ProductToken::new(AGENT).expect("the agent is a product token")));

/// The client that all workloads ask for: the default one, which reads ACAP records too.
#[must_use]
pub fn client() -> &'static Client {
    &CLIENT
}

impl Parser for Abide {
    const NAME: &'static str = "abide";
    type Robots<'o> = Policy;

    fn parse(case: &Case) -> Option<Policy> {
        Some(Policy::compile(&case.bytes, client()))
    }

    fn allows(robots: &Policy, url: &str) -> bool {
        robots.allows(url)
    }

    fn cold(case: &Case, url: &str) -> Option<bool> {
        Some(abide::allows(&case.bytes, client(), url))
    }
}
