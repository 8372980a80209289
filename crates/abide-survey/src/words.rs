//! Foreign text in cells, and the words of statements about AI preferences.

use crate::schema::PreferenceRow;
use abide::explain::visible;
use abide::preference::{Vocabulary, robots_txt_words};
use abide::syntax::statement_words;

/// One row for each word of a statement, like `own`: of a line, a field or an element, by its name
/// and what it says.
pub(crate) fn words<'r>(
    vocabulary: Vocabulary,
    (name, statement): (&'r str, &'r [u8]),
    own: &'r PreferenceRow<'static>,
) -> impl Iterator<Item = PreferenceRow<'static>> + 'r {
    let words = match vocabulary {
        Vocabulary::ContentUsage | Vocabulary::ContentSignal => {
            statement_words(vocabulary, statement)
        }
        _ => vec![(name.as_bytes(), Some(statement))],
    };
    words.into_iter().map(move |(key, value)| {
        let key = cut(text(key));
        let mut known = robots_txt_words();
        let usage = known.find(|(word, _)| word.eq_ignore_ascii_case(&key));
        PreferenceRow {
            vocabulary: vocabulary.name().into(),
            key: key.into(),
            value: value.map(|value| cut(text(value)).into()),
            usage: usage.map(|(_, usage)| usage.name().into()),
            ..own.clone()
        }
    })
}

/// Foreign bytes as text; bytes that are not UTF-8 are escaped.
pub(crate) fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => visible(bytes),
    }
}

/// A text that many rows of a file repeat, with at most 100 bytes: a line can have a hundred
/// thousand directives, and a path as long as the file.
pub(crate) fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(100));
    text
}

pub(crate) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
