//! A strict reader of XML with namespaces: one element, no document type, no entities but the five
//! that XML knows. It recurses, because the depth is limited.

/// An element with its content.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) namespace: String,
    pub(super) name: String,
    /// Attributes without a prefix.
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    /// The text directly in the element.
    pub(super) text: String,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The limits of PREF-108.
const MAX_DEPTH: usize = 32;
const MAX_ELEMENTS: usize = 10_000;
const MAX_ATTRIBUTES: usize = 64;

/// Reads a document, or returns `None` if it is not well-formed or exceeds a limit.
pub(super) fn read(text: &str) -> Option<Element> {
    let mut reader = Reader {
        rest: text,
        elements: 0,
    };
    if reader.rest.starts_with("<?xml ") {
        reader.after("?>")?;
    }
    reader.misc()?;
    let root = reader.element(&[("xml".into(), XML.into())], 1)?;
    reader.misc()?;
    reader.rest.is_empty().then_some(root)
}

const XML: &str = "http://www.w3.org/XML/1998/namespace";

struct Reader<'a> {
    rest: &'a str,
    elements: usize,
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Whether XML 1.0 admits the character.
fn is_char(c: char) -> bool {
    is_blank(c) || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))
}

impl<'a> Reader<'a> {
    fn take(&mut self, start: &str) -> bool {
        let rest = self.rest.strip_prefix(start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes everything up to `end`, and `end` itself.
    fn after(&mut self, end: &str) -> Option<&'a str> {
        let (before, rest) = self.rest.split_once(end)?;
        self.rest = rest;
        before.chars().all(is_char).then_some(before)
    }

    fn blanks(&mut self) -> bool {
        let rest = self.rest.trim_start_matches(is_blank);
        let found = rest.len() < self.rest.len();
        self.rest = rest;
        found
    }

    /// Skips comments, processing instructions and white space.
    fn misc(&mut self) -> Option<()> {
        loop {
            self.blanks();
            if !self.comment_or_instruction()? {
                return Some(());
            }
        }
    }

    /// Takes a comment or processing instruction, and tells whether there was one.
    fn comment_or_instruction(&mut self) -> Option<bool> {
        if self.take("<!--") {
            let text = self.after("--")?;
            return (self.take(">") && !text.contains("--")).then_some(true);
        }
        if self.take("<?") {
            let target = self.name()?;
            let text = self.after("?>")?;
            let is_apart = text.is_empty() || text.starts_with(is_blank);
            return (is_apart && !target.eq_ignore_ascii_case("xml")).then_some(true);
        }
        Some(false)
    }

    fn name(&mut self) -> Option<&'a str> {
        let belongs = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c) || c > '\u{b6}';
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        let starts_badly = name.starts_with(|c: char| c.is_ascii_digit() || "-.:".contains(c));
        let colons = name.matches(':').count();
        (!name.is_empty() && !starts_badly && colons <= 1 && !name.ends_with(':')).then_some(name)
    }

    fn element(&mut self, outer: &[(String, String)], depth: usize) -> Option<Element> {
        self.elements += 1;
        if depth > MAX_DEPTH || self.elements > MAX_ELEMENTS || !self.take("<") {
            return None;
        }
        let tag = self.name()?;
        let mut written: Vec<(&str, String)> = Vec::new();
        let is_empty = loop {
            let apart = self.blanks();
            if self.take("/>") {
                break true;
            }
            if self.take(">") {
                break false;
            }
            let name = self.name()?;
            self.blanks();
            if !apart || !self.take("=") || written.iter().any(|(other, _)| *other == name) {
                return None;
            }
            self.blanks();
            written.push((name, self.attribute_value()?));
        };
        if written.len() > MAX_ATTRIBUTES {
            return None;
        }
        let mut scope = outer.to_vec();
        for (name, value) in &written {
            if *name == "xmlns" {
                scope.push((String::new(), value.clone()));
            } else if let Some(prefix) = name.strip_prefix("xmlns:") {
                if value.is_empty() || prefix == "xml" || prefix == "xmlns" {
                    return None;
                }
                scope.push((prefix.to_owned(), value.clone()));
            }
        }
        let namespace_of = |prefix: &str| {
            let found = scope.iter().rev().find(|(known, _)| known == prefix);
            found.map(|(_, namespace)| namespace.clone())
        };
        let mut attributes = Vec::new();
        for (name, value) in written {
            match name.split_once(':') {
                Some(("xmlns", _)) => {}
                Some((prefix, _)) => drop(namespace_of(prefix)?),
                None => attributes.push((name.to_owned(), value)),
            }
        }
        let (namespace, name) = match tag.split_once(':') {
            Some((prefix, name)) => (namespace_of(prefix)?, name),
            None => (namespace_of("").unwrap_or_default(), tag),
        };
        let mut element = Element {
            namespace,
            name: name.to_owned(),
            attributes,
            children: Vec::new(),
            text: String::new(),
        };
        if !is_empty {
            self.content(&mut element, &scope, depth)?;
            let matches = self.take("</") && self.name()? == tag;
            self.blanks();
            if !matches || !self.take(">") {
                return None;
            }
        }
        Some(element)
    }

    /// Reads up to the end tag, which stays.
    fn content(
        &mut self,
        element: &mut Element,
        scope: &[(String, String)],
        depth: usize,
    ) -> Option<()> {
        while !self.rest.starts_with("</") {
            if self.take("<![CDATA[") {
                element.text.push_str(self.after("]]>")?);
            } else if self.comment_or_instruction()? {
            } else if self.rest.starts_with('<') {
                element.children.push(self.element(scope, depth + 1)?);
            } else {
                let end = self.rest.find('<')?;
                let (text, rest) = self.rest.split_at(end);
                self.rest = rest;
                if text.contains("]]>") {
                    return None;
                }
                element.text.push_str(&resolved(text)?);
            }
        }
        Some(())
    }

    fn attribute_value(&mut self) -> Option<String> {
        let quote = ["\"", "'"].into_iter().find(|quote| self.take(quote))?;
        let value = self.after(quote)?;
        if value.contains('<') {
            return None;
        }
        // White space counts as a space, unless it is written as a reference.
        resolved(&value.replace(is_blank, " "))
    }
}

/// The text with its references resolved.
fn resolved(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut parts = text.split('&');
    out.push_str(parts.next()?);
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        let code = name.strip_prefix('#');
        let number = code.map(|code| match code.strip_prefix('x') {
            Some(hex) if hex.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                u32::from_str_radix(hex, 16).ok()
            }
            None if code.bytes().all(|byte| byte.is_ascii_digit()) => code.parse().ok(),
            _ => None,
        });
        out.push(match (name, number) {
            (_, Some(number)) => char::from_u32(number?).filter(|&c| is_char(c))?,
            ("amp", _) => '&',
            ("lt", _) => '<',
            ("gt", _) => '>',
            ("quot", _) => '"',
            ("apos", _) => '\'',
            _ => return None,
        });
        out.push_str(rest);
    }
    out.chars().all(is_char).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_text_and_references() {
        let text = "<?xml version='1.0'?><!-- x --><a:b xmlns:a='n' c = \"&lt;&#x41;\n\">\
            <d xmlns='m'>x<!-- y --><![CDATA[<&]]>&amp;&#66;</d><e/></a:b> ";
        let root = read(text).expect("well-formed");
        assert_eq!((root.namespace.as_str(), root.name.as_str()), ("n", "b"));
        assert_eq!(root.attribute("c"), Some("<A "));
        let [d, e] = &root.children[..] else {
            panic!("{root:?}")
        };
        assert_eq!((d.namespace.as_str(), d.text.as_str()), ("m", "x<&&B"));
        assert_eq!((e.namespace.as_str(), e.name.as_str()), ("", "e"));
    }

    #[test]
    fn what_is_not_well_formed() {
        for bad in [
            "",
            "a",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<a b=1/>",
            "<a b='1' b='2'/>",
            "<a b='1'c='2'/>",
            "<a b='<'/>",
            "<a>&b;</a>",
            "<a>&#0;</a>",
            "<a>&</a>",
            "<a>]]></a>",
            "<x:a/>",
            "<!DOCTYPE a><a/>",
            "<a><!-- -- --></a>",
            "<a x:b='1'/>",
            " <?xml version='1.0'?><a/>",
            "<1/>",
            "<a>\u{1}</a>",
            "<a",
        ] {
            assert!(read(bad).is_none(), "{bad}");
        }
        let nested = |depth: usize| "<a>".repeat(depth) + &"</a>".repeat(depth);
        assert!(read(&nested(MAX_DEPTH)).is_some() && read(&nested(MAX_DEPTH + 1)).is_none());
    }
}
