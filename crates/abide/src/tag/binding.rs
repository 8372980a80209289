//! The robots tags that apply to one client: the union of all (TAG-10 to TAG-12, TAG-27 to TAG-29,
//! TAG-33, CLA-10).

use super::effect::{is_unreadable, leeway};
use super::rule::{RuleKind, StatedRule, is_known_preference};
use super::{MOST_MISTAKES, Response, Scope, Statement, legacy, misspelt};
use crate::client::Client;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::visible::visible;
use std::borrow::Cow;
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
                    binding.add(rule, client.vendor_rules());
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
        Self::new(response.statements().iter().chain(outside), client)
    }

    fn add(&mut self, rule: &StatedRule, vendor: bool) {
        match (RuleKind::of(&rule.name), vendor) {
            (RuleKind::Positive, _) => {}
            (RuleKind::Vendor, true) if rule.name == "none" => {
                for name in ["nofollow", "noindex"] {
                    self.add(
                        &StatedRule {
                            name: name.to_owned(),
                            value: None,
                        },
                        vendor,
                    );
                }
            }
            (RuleKind::Registered, _) | (RuleKind::Vendor, true) => self.restrict(rule),
            (RuleKind::Unknown, _) | (RuleKind::Vendor, false) => {
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

    /// Findings about the rules that apply.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let unreadable = self.rules.iter().filter_map(|(name, value)| {
            let rule = StatedRule {
                name: name.clone(),
                value: value.clone(),
            };
            is_unreadable(&rule).then(|| {
                Diagnostic::of_decision(
                    Code::RobotsTagValue,
                    format!(
                        "the value {:?} of {name} cannot be read; the strictest value applies",
                        visible(value.as_deref().unwrap_or_default().as_bytes())
                    ),
                )
            })
        });
        // Rules that a `;` joins have a finding of their own.
        let unknown = self.unknown.iter().filter(|name| !legacy::is_joined(name));
        unreadable
            .chain(self.joined_in_metas())
            .chain(unknown.map(|name| unknown_rule(name)))
            .collect()
    }

    /// Findings about rules of meta elements that a `;` joins.
    fn joined_in_metas(&self) -> impl Iterator<Item = Diagnostic> {
        let metas = self.statements.iter();
        let metas = metas.filter(|one| one.source.is_meta());
        let joined = metas.flat_map(|meta| &meta.rules).filter_map(|rule| {
            let text = match &rule.value {
                Some(value) => Cow::Owned(format!("{}:{value}", rule.name)),
                None => Cow::Borrowed(&*rule.name),
            };
            legacy::is_joined(&text).then(|| legacy::joined_rules("meta element", &text))
        });
        // The same mistake in many elements is reported once; only a hostile page has many.
        let joined: BTreeSet<String> = joined.take(MOST_MISTAKES).collect();
        let joined = joined.into_iter();
        joined.map(|message| Diagnostic::of_decision(Code::RobotsTagSeparator, message))
    }
}

/// The finding about an unknown rule, with what was probably meant.
fn unknown_rule(name: &str) -> Diagnostic {
    let shown = visible(name.as_bytes());
    match misspelt::meant_by(name) {
        Some(meant) => Diagnostic::of_decision(
            Code::UnknownTagRule,
            format!(
                "unknown robots tag rule {shown:?}, which has no effect; did you mean {meant:?}?"
            ),
        )
        .with_severity(Severity::Warning),
        None => Diagnostic::of_decision(
            Code::UnknownTagRule,
            format!("unknown robots tag rule {shown:?}; it has no effect"),
        ),
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
