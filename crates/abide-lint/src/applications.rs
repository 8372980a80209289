//! What a file asks of registered applications, as the engine tells those that ask for it.

use crate::file::File;
use abide::app::Application;
use abide::app::field::Directives;
use abide::syntax::FieldKind;
use abide::{Diagnostic, Policy, Target};
use std::collections::{BTreeMap, BTreeSet};

/// What the engine finds wrong with directives of registered applications: each is asked about for
/// one URL of every pattern that speaks of it.
pub(crate) fn diagnostics(file: &File<'_>) -> Vec<Diagnostic> {
    let Some(registry) = &file.context.registry else {
        return Vec::new();
    };
    let mut diagnostics = Vec::new();
    let mut policies: BTreeMap<String, Option<Policy>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (_, _, value) in file.fields_of(FieldKind::AppDirectives) {
        let Some(directives) = Directives::read(value) else {
            continue;
        };
        let path = path(directives.path);
        for (id, _) in &directives.applications {
            let policy = policies.entry(id.clone()).or_insert_with(|| {
                let tokens = registry.get(id)?.product_tokens.clone();
                let application = Application::new(id, tokens).ok()?;
                Some(
                    file.robots
                        .policy(&file.client.clone().with_application(application)),
                )
            });
            let is_new = seen.insert((id.clone(), path.clone()));
            if let (true, Some(policy), Ok(target)) = (is_new, policy, Target::new(&path)) {
                diagnostics.extend(policy.diagnostics_of(&policy.decide(&target)));
            }
        }
    }
    diagnostics
}

/// A path that the pattern matches.
fn path(pattern: Option<&[u8]>) -> String {
    let pattern = String::from_utf8_lossy(pattern.unwrap_or(b"/")).replace('*', "x");
    let path = pattern.strip_suffix('$').unwrap_or(&pattern);
    match path.strip_prefix('/') {
        Some(_) => path.to_owned(),
        None => format!("/{path}"),
    }
}
