//! The response field `Link` (RFC 8288), as far as licences need it (PREF-89).

/// A link: its target, and its parameters as written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<'f> {
    pub(crate) target: &'f str,
    parameters: &'f str,
}

impl Link<'_> {
    /// Whether the first parameter of this name has `word` among its words, in any case.
    pub(crate) fn has_word(&self, name: &str, word: &str) -> bool {
        let value = self.parameter(name);
        value.is_some_and(|value| {
            let mut words = value.split_ascii_whitespace();
            words.any(|one| one.eq_ignore_ascii_case(word))
        })
    }

    /// Whether the first parameter of this name has this value, in any case.
    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        let own = self.parameter(name);
        own.is_some_and(|own| own.trim().eq_ignore_ascii_case(value))
    }

    /// The value of the first parameter of this name, without quotes.
    fn parameter(&self, name: &str) -> Option<&str> {
        let mut rest = self.parameters;
        while !rest.is_empty() {
            let (parameter, behind) = rest.split_at(end_of(rest, ';'));
            rest = behind.strip_prefix(';').unwrap_or_default();
            let (own, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            if own.trim().eq_ignore_ascii_case(name) {
                let value = value.trim();
                let quoted = value.strip_prefix('"');
                return Some(quoted.map_or(value, |text| text.strip_suffix('"').unwrap_or(text)));
            }
        }
        None
    }
}

/// The links of a field line. Reading ends at the first text that is no link.
pub(crate) fn links(line: &str) -> impl Iterator<Item = Link<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let begins = rest.trim_start_matches([',', ' ', '\t']);
        let (target, behind) = begins.strip_prefix('<')?.split_once('>')?;
        let (parameters, others) = behind.split_at(end_of(behind, ','));
        rest = others;
        Some(Link {
            target: target.trim(),
            parameters: parameters
                .trim_start()
                .strip_prefix(';')
                .unwrap_or_default(),
        })
    })
}

/// The place of the first `end` outside quoted strings; the end of the text without one.
fn end_of(text: &str, end: char) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        if c == end && !quoted {
            return at;
        }
        quoted ^= c == '"' && !escaped;
        escaped = quoted && c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pref_89_links_of_a_field() {
        let line = r#"</a>; rel=next, <https://l.example/x,y.xml> ; title="a;\"b, <c>" ; REL="x License";type="application/RSL+xml", <b>"#;
        let found: Vec<_> = links(line).collect();
        let targets: Vec<_> = found.iter().map(|link| link.target).collect();
        assert_eq!(targets, ["/a", "https://l.example/x,y.xml", "b"]);
        let is_rsl = |link: &Link<'_>| {
            link.has_word("rel", "license") && link.is("type", "application/rsl+xml")
        };
        assert_eq!(
            found.iter().map(is_rsl).collect::<Vec<_>>(),
            [false, true, false]
        );
    }
}
