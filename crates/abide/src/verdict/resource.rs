//! Resources that a permission requires: `must-use-resource` and
//! `must-include-resource` (ACAP-86 to ACAP-90, ACAP-104, ACAP-105, ACAP-110 to ACAP-112).

use std::fmt::{self, Write};

/// A resource to use instead of another, or to show with it: an element of the page, or a URI.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Substitute {
    /// The element with this `id`.
    Id(String),
    /// The first element of this `class`.
    Class(String),
    /// The content of the meta element of this name, in the head.
    Meta(String),
    /// The resource that this URI, absolute or relative, leads to.
    Uri(String),
}

/// A resource to be shown with another, and in which role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Inclusion {
    /// The role; `None` if a bare URI leaves it open.
    pub role: Option<InclusionRole>,
    /// Which resource.
    pub resource: Substitute,
}

/// In which role a resource is shown with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum InclusionRole {
    /// `credit`
    Credit,
    /// `link`
    Link,
}

impl Substitute {
    /// Reads the value of `must-use-resource`, with its escapes: a URI, or
    /// `the-acap:extract:` with `id:`, `class:` or `meta:` (ACAP-87). `None` for any other
    /// `the-acap:`, and for invalid escapes (ACAP-135).
    ///
    /// ```
    /// use abide::acap::Substitute;
    /// assert_eq!(
    ///     Substitute::read("the-acap:extract:id:a%23b"),
    ///     Some(Substitute::Id("a#b".to_owned()))
    /// );
    /// assert_eq!(Substitute::read("the-acap:extract:xpath:x"), None);
    /// assert_eq!(Substitute::read("/cover.jpg"), Some(Substitute::Uri("/cover.jpg".to_owned())));
    /// ```
    #[must_use]
    pub fn read(value: &str) -> Option<Self> {
        match after(value, "the-acap:") {
            Some(own) => Self::element(after(own, "extract:")?),
            None => uri(value),
        }
    }

    /// `id:`, `class:` or `meta:` with a name behind it.
    fn element(text: &str) -> Option<Self> {
        let (form, name) = text.split_once(':')?;
        let name = unescaped(name).filter(|name| !name.is_empty())?;
        match form.to_ascii_lowercase().as_str() {
            "id" => Some(Self::Id(name)),
            "class" => Some(Self::Class(name)),
            "meta" => Some(Self::Meta(name)),
            _ => None,
        }
    }

    /// Whether the resource is an element of the page, which must then be HTML (ACAP-88).
    #[must_use]
    pub fn is_element(&self) -> bool {
        !matches!(self, Self::Uri(_))
    }

    fn form(&self) -> (&'static str, &str) {
        match self {
            Self::Id(name) => ("id:", name),
            Self::Class(name) => ("class:", name),
            Self::Meta(name) => ("meta:", name),
            Self::Uri(uri) => ("", uri),
        }
    }
}

/// Writes the value in ACAP's syntax.
impl fmt::Display for Substitute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form() {
            ("", uri) => f.write_str(uri),
            (form, name) => write!(f, "the-acap:extract:{form}{}", escaped(name)),
        }
    }
}

impl Inclusion {
    /// Reads the value of `must-include-resource`: a URI, or `the-acap:` with the role `credit` or
    /// `link`, and behind it an element or a URI (ACAP-111).
    ///
    /// ```
    /// use abide::acap::{Inclusion, InclusionRole, Substitute};
    /// let credit = Inclusion::read("the-acap:credit:id:byline").unwrap();
    /// assert_eq!(credit.role, Some(InclusionRole::Credit));
    /// assert_eq!(credit.resource, Substitute::Id("byline".to_owned()));
    /// let link = Inclusion::read("the-acap:link:http://e.com/terms").unwrap();
    /// assert_eq!(link.resource, Substitute::Uri("http://e.com/terms".to_owned()));
    /// assert_eq!(Inclusion::read("the-acap:banner:id:x"), None);
    /// ```
    #[must_use]
    pub fn read(value: &str) -> Option<Self> {
        let Some(own) = after(value, "the-acap:") else {
            return uri(value).map(|resource| Self {
                role: None,
                resource,
            });
        };
        let (role, locator) = own.split_once(':')?;
        let role = match role.to_ascii_lowercase().as_str() {
            "credit" => InclusionRole::Credit,
            "link" => InclusionRole::Link,
            _ => return None,
        };
        let element = ["id:", "class:", "meta:"]
            .iter()
            .any(|form| after(locator, form).is_some());
        let resource = if element {
            Substitute::element(locator)
        } else {
            uri(locator)
        };
        Some(Self {
            role: Some(role),
            resource: resource?,
        })
    }
}

/// Writes the value in ACAP's syntax.
impl fmt::Display for Inclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (form, name) = self.resource.form();
        let name = if form.is_empty() {
            name.to_owned()
        } else {
            escaped(name)
        };
        match self.role {
            None => write!(f, "{}", self.resource),
            Some(InclusionRole::Credit) => write!(f, "the-acap:credit:{form}{name}"),
            Some(InclusionRole::Link) => write!(f, "the-acap:link:{form}{name}"),
        }
    }
}

/// A URI keeps its escapes: they are its own. A path holds no wildcards (ACAP-64).
fn uri(value: &str) -> Option<Substitute> {
    let is_path = !has_scheme(value);
    let wild = is_path && value.contains(['*', '$']);
    let valid = !value.is_empty() && !wild && unescaped(value).is_some();
    valid.then(|| Substitute::Uri(value.to_owned()))
}

/// Whether `text` begins with a scheme and a colon, so that it is a URI, not a path.
pub(crate) fn has_scheme(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(inner)
    })
}

fn after<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// The value that `text` stands for: visible ASCII without `#` and quotes, which like `%` and all
/// beyond ASCII are written as escapes of UTF-8 (ACAP-135). `None` for anything else.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match byte {
            b'%' => {
                let (digits, after) = tail.split_at_checked(2)?;
                let digits = std::str::from_utf8(digits).ok()?;
                let hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| hex)?);
                rest = after;
            }
            b'#' | b'"' | b'\'' => return None,
            visible if visible.is_ascii_graphic() => bytes.push(*visible),
            _ => return None,
        }
    }
    String::from_utf8(bytes).ok()
}

fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_graphic() && !b"%#\"'".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acap_87_the_forms_of_an_element() {
        for (value, expected) in [
            ("the-acap:extract:id:x", Some(Substitute::Id("x".into()))),
            (
                "the-acap:extract:class:x",
                Some(Substitute::Class("x".into())),
            ),
            (
                "THE-ACAP:Extract:Meta:x",
                Some(Substitute::Meta("x".into())),
            ),
            ("the-acap:extract:xpath:x", None),
            ("the-acap:extract:id:", None),
            ("the-acap:id:x", None),
        ] {
            assert_eq!(Substitute::read(value), expected, "{value}");
        }
    }

    #[test]
    fn acap_111_roles_of_what_is_included() {
        for value in [
            "the-acap:credit:id:byline",
            "the-acap:link:http://e.com/terms",
            "the-acap:credit:meta:author",
            "/credit.html",
        ] {
            let read = Inclusion::read(value).map(|read| read.to_string());
            assert_eq!(read.as_deref(), Some(value));
        }
        for wrong in [
            "the-acap:extract:id:x",
            "the-acap:credit:",
            "the-acap:credit:id:",
            "",
        ] {
            assert_eq!(Inclusion::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn acap_135_escapes_in_values() {
        assert_eq!(unescaped("a%23b"), Some("a#b".into()));
        assert_eq!(unescaped("%C3%A4%25"), Some("ä%".into()));
        for wrong in ["%zz", "%2", "%+1", "a\"b", "a'b", "ä", "%FF"] {
            assert_eq!(unescaped(wrong), None, "{wrong}");
        }
        let id = Substitute::Id("a#ä%".into());
        assert_eq!(id.to_string(), "the-acap:extract:id:a%23%C3%A4%25");
        assert_eq!(Substitute::read(&id.to_string()), Some(id));
    }
}
