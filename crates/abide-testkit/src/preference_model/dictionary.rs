//! A reader of Dictionaries, step by step after RFC 9651, section 4.2.

use std::collections::BTreeMap;

/// A value, as far as preferences look at it: only Tokens have a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Token(String),
    Other,
}

/// Parses a Dictionary. Of a repeated key the last value stands.
pub(super) fn parse(text: &[u8]) -> Option<BTreeMap<String, Value>> {
    if !text.is_ascii() {
        return None;
    }
    let mut rest = Rest(text);
    let mut members = BTreeMap::new();
    rest.skip(b" ");
    while !rest.0.is_empty() {
        let key = rest.key()?;
        let value = if rest.take(b'=') {
            if rest.peek() == Some(b'(') {
                rest.inner_list()?;
                Value::Other
            } else {
                rest.item()?
            }
        } else {
            rest.parameters()?;
            Value::Other // The Boolean true.
        };
        members.insert(key, value);
        rest.skip(b" \t");
        if rest.0.is_empty() {
            return Some(members);
        }
        if !rest.take(b',') {
            return None;
        }
        rest.skip(b" \t");
        if rest.0.is_empty() {
            return None; // A comma at the end.
        }
    }
    Some(members)
}

/// What is left to parse.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn peek(&self) -> Option<u8> {
        self.0.first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.next();
        }
        found
    }

    fn skip(&mut self, bytes: &[u8]) {
        self.run(|byte| bytes.contains(&byte));
    }

    /// Takes the bytes at the start that belong.
    fn run(&mut self, belongs: impl Fn(u8) -> bool) -> String {
        let mut taken = String::new();
        while let Some(byte) = self.peek().filter(|&byte| belongs(byte)) {
            taken.push(char::from(byte));
            self.next();
        }
        taken
    }

    fn key(&mut self) -> Option<String> {
        let first = self.peek()?;
        if !first.is_ascii_lowercase() && first != b'*' {
            return None;
        }
        Some(self.run(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.*".contains(&byte)
        }))
    }

    fn parameters(&mut self) -> Option<()> {
        while self.take(b';') {
            self.skip(b" ");
            self.key()?;
            if self.take(b'=') {
                self.bare_item()?;
            }
        }
        Some(())
    }

    fn item(&mut self) -> Option<Value> {
        let value = self.bare_item()?;
        self.parameters()?;
        Some(value)
    }

    fn inner_list(&mut self) -> Option<()> {
        self.next();
        loop {
            self.skip(b" ");
            if self.take(b')') {
                return self.parameters();
            }
            self.item()?;
            if !matches!(self.peek()?, b' ' | b')') {
                return None;
            }
        }
    }

    fn bare_item(&mut self) -> Option<Value> {
        let is_token =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte);
        match self.peek()? {
            b'-' | b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'*' | b'a'..=b'z' | b'A'..=b'Z' => Some(Value::Token(self.run(is_token))),
            b':' => self.byte_sequence(),
            b'?' => {
                self.next();
                matches!(self.next()?, b'0' | b'1').then_some(Value::Other)
            }
            b'@' => {
                self.next();
                let is_decimal = self.number_parts()?;
                (!is_decimal).then_some(Value::Other)
            }
            b'%' => self.display_string(),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<Value> {
        self.number_parts().map(|_| Value::Other)
    }

    /// Takes a number, and tells whether it is a Decimal.
    fn number_parts(&mut self) -> Option<bool> {
        self.take(b'-');
        let whole = self.run(|byte| byte.is_ascii_digit());
        if whole.is_empty() {
            return None;
        }
        if self.peek() != Some(b'.') {
            return (whole.len() <= 15).then_some(false);
        }
        self.next();
        let fraction = self.run(|byte| byte.is_ascii_digit());
        (whole.len() <= 12 && (1..=3).contains(&fraction.len())).then_some(true)
    }

    fn string(&mut self) -> Option<Value> {
        self.next();
        loop {
            match self.next()? {
                b'"' => return Some(Value::Other),
                b'\\' if !matches!(self.next()?, b'"' | b'\\') => return None,
                b'\\' | b' '..=b'~' => {}
                _ => return None,
            }
        }
    }

    fn byte_sequence(&mut self) -> Option<Value> {
        use base64::Engine;
        use base64::engine::general_purpose::GeneralPurpose;
        use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
        self.next();
        let content = self.run(|byte| byte != b':');
        if !self.take(b':') {
            return None;
        }
        let config = GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::Indifferent);
        let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
        engine.decode(content).ok().map(|_| Value::Other)
    }

    fn display_string(&mut self) -> Option<Value> {
        self.next();
        if !self.take(b'"') {
            return None;
        }
        let mut bytes = Vec::new();
        loop {
            match self.next()? {
                b'"' => return String::from_utf8(bytes).ok().map(|_| Value::Other),
                b'%' => {
                    let digit = |byte: u8| match byte {
                        b'0'..=b'9' => Some(byte - b'0'),
                        b'a'..=b'f' => Some(byte - b'a' + 10),
                        _ => None,
                    };
                    let high = digit(self.next()?)?;
                    bytes.push(high * 16 + digit(self.next()?)?);
                }
                byte @ b' '..=b'~' => bytes.push(byte),
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_of_rfc_9651() {
        let token = |text: &str| Value::Token(text.to_owned());
        let read = |text: &str| parse(text.as_bytes());
        let one = |key: &str, value| Some(BTreeMap::from([(key.to_owned(), value)]));
        assert_eq!(read("a=b"), one("a", token("b")));
        assert_eq!(read(" a=b;c;d=1.5 "), one("a", token("b")));
        assert_eq!(read("a=1, a=*b/c:d"), one("a", token("*b/c:d")));
        for other in [
            "a",
            "a;b",
            "a=1",
            "a=-1.125",
            "a=\"\\\"\"",
            "a=:aGk=:",
            "a=?0",
            "a=@1",
            "a=%\"%c3%bc\"",
            "a=()",
            "a=( b  \"c\" );d",
            "a=(b;c d)",
        ] {
            assert_eq!(read(other), one("a", Value::Other), "{other}");
        }
        for bad in [
            "A=b",
            "a=b,",
            ",a=b",
            "a =b",
            "a= b",
            "a=b;C",
            "a=b c",
            "a=1.",
            "a=1.1234",
            "a=?2",
            "a=\"",
            "a=:a",
            "a=(b",
            "a=(b,c)",
            "a=",
            "a=@1.5",
            "a=%\"%C3%BC\"",
            "a=1234567890123456",
            "\ta=b",
            "a=b;;c",
            "a=ñ",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
        assert_eq!(read(""), Some(BTreeMap::new()));
    }
}
