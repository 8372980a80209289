//! Reads values by their types.

use super::{CaseReader, CaseTable, TomlValue};
use crate::expectation::mistake::{CaseMistake, CaseProblem};
use abide::explain::visible;
use std::ops::Range;

impl CaseReader {
    /// The line that a span begins on, starting from 1.
    pub(super) fn line(&self, span: &Range<usize>) -> u32 {
        let line = self.ends.partition_point(|&end| end < span.start);
        u32::try_from(line).unwrap_or(u32::MAX).saturating_add(1)
    }

    pub(super) fn say(&mut self, line: u32, problem: CaseProblem) {
        self.mistakes.push(CaseMistake { line, problem });
    }

    pub(super) fn at(&mut self, span: &Range<usize>, problem: CaseProblem) {
        let line = self.line(span);
        self.say(line, problem);
    }

    pub(super) fn word<T>(
        &mut self,
        table: &CaseTable<'_>,
        key: &'static str,
        expected: &'static str,
        named: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let value = table.get(key)?;
        let found = self.string(key, value)?;
        let known = named(&found);
        if known.is_none() {
            let key = key.to_owned();
            self.at(
                &value.span(),
                CaseProblem::Word {
                    key,
                    expected,
                    found,
                },
            );
        }
        known
    }

    /// The strings of a key or of its plural; `None` if neither exists.
    pub(super) fn strings(
        &mut self,
        table: &CaseTable<'_>,
        one: &'static str,
        several: &'static str,
    ) -> Option<Vec<(String, Range<usize>)>> {
        let (key, value) = match table.either(one, several) {
            [None, None] => return None,
            [Some(value), None] => (one, value),
            [None, Some(value)] => (several, value),
            [Some(value), Some(_)] => {
                let problem = CaseProblem::Both {
                    one,
                    other: several,
                };
                self.at(&value.span(), problem);
                (one, value)
            }
        };
        let Some(entries) = value.get_ref().as_array() else {
            let text = self.string(key, value);
            return Some(text.map(|text| (text, value.span())).into_iter().collect());
        };
        if entries.is_empty() {
            let key = key.to_owned();
            self.at(&value.span(), CaseProblem::EmptyList { key });
        }
        let entry = |entry| Some((self.string(key, entry)?, entry.span()));
        Some(entries.iter().filter_map(entry).collect())
    }

    pub(super) fn string(&mut self, key: &str, value: TomlValue<'_>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(key, "a string", value);
        }
        text
    }

    pub(super) fn boolean(&mut self, key: &str, value: TomlValue<'_>) -> Option<bool> {
        let found = value.get_ref().as_bool();
        if found.is_none() {
            self.wrong_type(key, "true or false", value);
        }
        found
    }

    pub(super) fn wrong_type(&mut self, key: &str, expected: &'static str, value: TomlValue<'_>) {
        let (key, found) = (visible(key.as_bytes()), value.get_ref().type_str());
        self.at(
            &value.span(),
            CaseProblem::Type {
                key,
                expected,
                found,
            },
        );
    }

    pub(super) fn value(&mut self, key: &str, span: &Range<usize>, why: String) {
        let key = key.to_owned();
        self.at(span, CaseProblem::Value { key, why });
    }
}
