//! Robots tags that a crawler keeps with a resource, as JSON.

use crate::instant::{Instant, moment};
use abide::Moment;
use abide::tag::{Scope, StatedRule, Statement, StoredTags, TagPlace};
use abide::verdict::Source;
use serde::{Deserialize, Serialize};

/// [`StoredTags`] in a form that can be written and read.
///
/// ```
/// use abide::Moment;
/// use abide::tag::{FieldLine, StoredTags, header};
/// use abide_contract::StoredTagsJson;
/// let (statements, _) = header::read(&[FieldLine::new("Robots-Tag", "*;noindex")]);
/// let stored = StoredTags::new(statements, Moment::from_unix_seconds(0), None);
/// let written = serde_json::to_string(&StoredTagsJson::from(&stored))?;
/// let read: StoredTagsJson = serde_json::from_str(&written)?;
/// assert_eq!(StoredTags::from(read), stored);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredTagsJson {
    statements: Vec<StatementJson>,
    observed_at: Instant,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "moment")]
    fresh_until: Option<Moment>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatementJson {
    source: Source,
    place: PlaceJson,
    /// The product token of the robots that it is for; none if it is for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    robot: Option<String>,
    rules: Vec<StatedRuleJson>,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum PlaceJson {
    Field { line: u32, member: u32 },
    Element { offset: u64 },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedRuleJson {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

impl From<&StoredTags> for StoredTagsJson {
    fn from(tags: &StoredTags) -> Self {
        let statements = tags.statements().iter().map(StatementJson::new);
        Self {
            statements: statements.collect(),
            observed_at: Instant(tags.observed_at()),
            fresh_until: tags.fresh_until(),
        }
    }
}

impl From<StoredTagsJson> for StoredTags {
    fn from(kept: StoredTagsJson) -> Self {
        let statements = kept.statements.into_iter().map(StatementJson::read);
        let Instant(observed_at) = kept.observed_at;
        Self::new(statements.collect(), observed_at, kept.fresh_until)
    }
}

impl StatementJson {
    fn new(statement: &Statement) -> Self {
        let rules = statement.rules.iter().cloned();
        let rules = rules.map(|rule| StatedRuleJson {
            name: rule.name,
            value: rule.value,
        });
        Self {
            source: statement.source,
            place: match statement.place {
                TagPlace::Field { line, member } => PlaceJson::Field { line, member },
                TagPlace::Offset(offset) => PlaceJson::Element { offset },
            },
            robot: statement.scope.token().map(str::to_owned),
            rules: rules.collect(),
            text: statement.text.clone(),
        }
    }

    fn read(self) -> Statement {
        let rules = self.rules.into_iter();
        let rules = rules.map(|rule| StatedRule::new(rule.name, rule.value));
        let place = match self.place {
            PlaceJson::Field { line, member } => TagPlace::Field { line, member },
            PlaceJson::Element { offset } => TagPlace::Offset(offset),
        };
        let scope = self.robot.map_or(Scope::Everyone, Scope::Token);
        Statement::new(self.source, place, scope, rules.collect(), self.text)
    }
}
