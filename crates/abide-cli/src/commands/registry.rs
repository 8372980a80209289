//! `abide registry`

use crate::args::{RegistryArgs, RegistryCommand};
use crate::exit::{Exit, complain, put, written};
use crate::file_arg::FileArg;
use crate::robot_args;
use abide::ProductToken;
use abide::app::{DirectiveEntry, DirectiveStatus, RegistryEntry};
use abide::explain::visible;
use abide::tag::RuleKind;
use abide_contract::registry::{Entry, Registries, RegistryFileError};
use std::fmt::Write as _;

/// Checks registries, and lists their entries.
pub(crate) fn run(args: &RegistryArgs) -> anyhow::Result<Exit> {
    let RegistryCommand::Check { files } = &args.command;
    check(files)
}

fn check(files: &[FileArg]) -> anyhow::Result<Exit> {
    match robot_args::registries(files) {
        Ok(registries) => {
            written(put(listed(&registries.unwrap_or_default())))?;
            Ok(Exit::Done)
        }
        Err(error) if error.downcast_ref::<RegistryFileError>().is_some() => {
            complain(&format!("{error:#}"));
            Ok(Exit::Prohibited)
        }
        Err(error) => Err(error),
    }
}

/// The entries, one a line, under the kind of registry that they are in.
fn listed(registries: &Registries) -> String {
    let mut list = String::new();
    if let Some(applications) = &registries.applications {
        list.push_str("Applications\n");
        for (id, entry) in applications.iter() {
            application(&mut list, id, entry);
        }
    }
    if let Some(purposes) = &registries.purposes {
        list.push_str("Purposes\n");
        for purpose in purposes.values() {
            entry(&mut list, purpose, "");
        }
    }
    if let Some(rules) = &registries.rules {
        list.push_str("Robots control rules\n");
        for rule in rules.values() {
            let is_known = RuleKind::of(&rule.name) != RuleKind::Unknown;
            let hint = if is_known {
                ""
            } else {
                "abide gives it no effect"
            };
            entry(&mut list, rule, hint);
        }
    }
    if list.is_empty() {
        list.push_str("No entries\n");
    }
    list
}

fn application(list: &mut String, id: &str, entry: &RegistryEntry) {
    let tokens = entry.product_tokens.iter().map(ProductToken::as_str);
    let tokens = tokens.collect::<Vec<_>>().join(", ");
    let facts = [
        (!tokens.is_empty()).then_some(tokens),
        entry.change_controller.clone(),
    ];
    row(list, "  ", id, &facts);
    for (name, directive) in &entry.directives {
        row(list, "    ", name, &directive_facts(directive));
    }
}

/// What is known of a directive.
fn directive_facts(entry: &DirectiveEntry) -> [Option<String>; 5] {
    let overrides = entry.overrides.join(", ");
    [
        Some(entry.value_type.name().to_owned()),
        (entry.status == DirectiveStatus::Deprecated).then(|| "deprecated".to_owned()),
        (!overrides.is_empty()).then(|| format!("overrides {overrides}")),
        entry.description.clone(),
        entry.documentation.clone(),
    ]
}

fn entry(list: &mut String, entry: &Entry, hint: &str) {
    let hint = (!hint.is_empty()).then(|| hint.to_owned());
    let facts = [entry.description.clone(), entry.reference.clone(), hint];
    row(list, "  ", &entry.name, &facts);
}

fn row(list: &mut String, indent: &str, name: &str, facts: &[Option<String>]) {
    let facts: Vec<_> = facts
        .iter()
        .flatten()
        .map(|fact| visible(fact.as_bytes()))
        .collect();
    let colon = if facts.is_empty() { "" } else { ": " };
    let name = visible(name.as_bytes());
    let _ = writeln!(list, "{indent}{name}{colon}{}", facts.join("; "));
}
