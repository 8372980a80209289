//! Writes `App-Directives` lines.

use super::error::{WriteError, WriteFault};
use super::item;
use crate::app::{Application, DirectiveValue};

const FIELD: &str = "App-Directives";

/// What a line asks of applications.
///
/// ```
/// use abide::app::DirectiveValue;
/// use abide::write::DirectivesWriter;
/// let line = DirectivesWriter::new()
///     .with_path("/news/")
///     .with_directive("examplesearch", "widgets", DirectiveValue::Token("some".to_owned()))
///     .with_directive("examplesearch", "boxes", DirectiveValue::Boolean(false));
/// assert_eq!(line.line()?, "App-Directives: /news/ examplesearch;widgets=some;boxes=?0");
/// # Ok::<(), abide::write::WriteError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectivesWriter {
    path: Option<String>,
    applications: Vec<(String, Vec<(String, DirectiveValue)>)>,
}

impl DirectivesWriter {
    /// Nothing for any application, on every path.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the line to paths that match a pattern (APP-5).
    #[must_use]
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Names an application without asking it for anything.
    #[must_use]
    pub fn with_application(mut self, id: &str) -> Self {
        if !self.applications.iter().any(|(known, _)| known == id) {
            self.applications.push((id.to_owned(), Vec::new()));
        }
        self
    }

    /// Adds a directive for an application, behind those that it has.
    #[must_use]
    pub fn with_directive(self, id: &str, name: &str, value: DirectiveValue) -> Self {
        let mut with = self.with_application(id);
        for (known, directives) in &mut with.applications {
            if known == id {
                directives.push((name.to_owned(), value));
                break;
            }
        }
        with
    }

    /// The value of the line: its path, and the List.
    ///
    /// # Errors
    /// [`WriteError`] if no application is named, and for a path that is no pattern, an identifier
    /// that is no Token, a directive that is no key of structured fields or is repeated, and a
    /// value that structured fields or the line cannot carry, such as a String with `#`.
    pub fn value(&self) -> Result<String, WriteError> {
        let mut value = String::new();
        if let Some(path) = &self.path {
            let path = item::path(path).map_err(|fault| WriteError::whole(FIELD, fault))?;
            value.extend([path, " "]);
        }
        if self.applications.is_empty() {
            let fault = WriteFault::Empty("an application");
            return Err(WriteError::whole(FIELD, fault));
        }
        let members: Result<Vec<_>, _> = self
            .applications
            .iter()
            .map(|(id, directives)| member(id, directives))
            .collect();
        value.push_str(&members?.join(", "));
        Ok(value)
    }

    /// The line, without its line end.
    ///
    /// # Errors
    /// [`WriteError`] as for [`value`](Self::value).
    pub fn line(&self) -> Result<String, WriteError> {
        Ok(format!("{FIELD}: {}", self.value()?))
    }
}

/// A member of the List.
fn member(id: &str, directives: &[(String, DirectiveValue)]) -> Result<String, WriteError> {
    if Application::new(id, []).is_err() {
        let expected = "an application identifier such as examplesearch";
        let fault = WriteFault::unexpected(expected, id);
        return Err(WriteError::whole(FIELD, fault));
    }
    item::without_comment(id).map_err(|fault| WriteError::whole(FIELD, fault))?;
    let mut member = id.to_owned();
    for (at, (name, value)) in directives.iter().enumerate() {
        let mut before = directives.iter().take(at);
        let parameter = if before.any(|(known, _)| known == name) {
            let name = name.as_str().into();
            Err(WriteFault::Repeated { name })
        } else {
            item::parameter_in_line(name, value)
        };
        let place = || format!("directive {} of {id}", at.saturating_add(1));
        member.push_str(&parameter.map_err(|fault| WriteError::at(FIELD, place(), fault))?);
    }
    Ok(member)
}
