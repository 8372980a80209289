//! What a file asks of registered applications, as the engine tells those that ask for it.

use crate::file::File;
use abide::app::field::Directives;
use abide::rep::FieldKind;
use abide::{Application, Diagnostic, Target};
use std::collections::BTreeSet;

/// What the engine finds wrong with directives of registered applications: each is asked about for one URL of
/// every pattern that speaks of it.
pub(crate) fn told(file: &File<'_>) -> Vec<Diagnostic> {
    let Some(registry) = &file.context.registry else {
        return Vec::new();
    };
    let mut told = Vec::new();
    let mut asked = BTreeSet::new();
    for (_, _, value) in file.fields_of(FieldKind::AppDirectives) {
        let Some(directives) = Directives::read(value) else {
            continue;
        };
        let path = path(directives.path);
        for (id, _) in &directives.applications {
            let Some(entry) = registry.get(id) else {
                continue;
            };
            if !asked.insert((id.clone(), path.clone())) {
                continue;
            }
            if let Ok(application) = Application::new(id, entry.product_tokens.clone()) {
                told.extend(told_of(file, application, &path));
            }
        }
    }
    told
}

fn told_of(file: &File<'_>, application: Application, path: &str) -> Vec<Diagnostic> {
    let client = file.client.clone().application(application);
    let policy = file.robots.policy(&client);
    match Target::new(path) {
        Ok(target) => policy.decide(&target).diagnostics,
        Err(_) => Vec::new(),
    }
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
