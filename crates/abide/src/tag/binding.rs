//! The robots tags that apply to one client: the union of all (TAG-10 to TAG-12, TAG-27 to TAG-29,
//! TAG-33, CLA-10).

use super::effect::leeway;
use super::rule::{Standing, StatedRule, is_known_preference};
use super::{Response, Scope, Statement};
use crate::client::Client;
use std::collections::{BTreeMap, BTreeSet};

/// The statements that apply to a client, and the union of their rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Binding<'s> {
    /// The statements, in their order.
    pub statements: Vec<&'s Statement>,
    /// The rules that restrict, by name, with the value of the most restrictive statement. `none`
    /// stands as `nofollow` and `noindex`; words that permit are left out.
    pub rules: BTreeMap<String, Option<String>>,
    /// Names of unknown rules (TAG-38).
    pub unknown: BTreeSet<String>,
}

impl<'s> Binding<'s> {
    /// The statements that apply to `client`.
    #[must_use]
    pub fn new(statements: impl IntoIterator<Item = &'s Statement>, client: &Client) -> Self {
        let mut binding = Self::default();
        for statement in statements.into_iter().filter(|s| binds(&s.scope, client)) {
            binding.statements.push(statement);
            for rule in &statement.rules {
                if is_known_preference(&rule.name, client) {
                    binding.restrict(rule);
                } else {
                    binding.add(rule, client);
                }
            }
        }
        binding
    }

    /// The statements of a response that apply to `client`; none without a response.
    pub(crate) fn of(response: Option<&'s Response>, client: &Client) -> Self {
        let Some(response) = response else {
            return Self::default();
        };
        let outside = response.outside_statements().iter();
        let outside = outside.filter(|_| client.body_metas());
        Self::new(response.statements_for(client).chain(outside), client)
    }

    fn add(&mut self, rule: &StatedRule, client: &Client) {
        match Standing::of(&rule.name, client) {
            Standing::Positive => {}
            Standing::Counts if rule.name == "none" => {
                for name in ["nofollow", "noindex"] {
                    self.restrict(&StatedRule::new(name, None));
                }
            }
            Standing::Counts => self.restrict(rule),
            Standing::Unknown => {
                self.unknown.insert(rule.name.clone());
            }
        }
    }

    fn restrict(&mut self, rule: &StatedRule) {
        let present = self.rules.get(&rule.name).map(|value| StatedRule {
            name: rule.name.clone(),
            value: value.clone(),
        });
        if present.is_none_or(|present| leeway(rule) < leeway(&present)) {
            self.rules.insert(rule.name.clone(), rule.value.clone());
        }
    }
}

/// Whether a statement applies to a client: it is for all robots, or for one of its product tokens
/// (CLA-10). Whole tokens are compared, and case is ignored (TAG-8, AMB-TAG-2).
fn binds(scope: &Scope, client: &Client) -> bool {
    match scope {
        Scope::Everyone => true,
        Scope::Token(name) => client
            .product_tokens()
            .iter()
            .any(|token| token.is_named_by_tag(name.as_bytes())),
    }
}
