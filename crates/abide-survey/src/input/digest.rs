//! The digests that a record of an archive has of itself (WARC 1.1, 5.8 and 5.9).

use super::md5::Md5;
use crate::capture;
use ring::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA384, SHA512};

/// The longest name of an algorithm that is repeated to people, in bytes.
const MAX_NAME_BYTES: usize = 24;

/// A digest that a record has, and what is known of the bytes that it is about.
pub(super) struct Check {
    /// The field.
    pub(super) name: &'static str,
    is_of_payload: bool,
    claimed: Vec<u8>,
    hasher: Hasher,
}

#[derive(Clone)]
enum Hasher {
    Ring(Context),
    Md5(Md5),
}

impl Check {
    /// Of the whole block: the head of the response, and its body.
    pub(super) fn of_block(value: &str) -> Result<Self, String> {
        Self::of("WARC-Block-Digest", false, value)
    }

    /// Of the body.
    pub(super) fn of_payload(value: &str) -> Result<Self, String> {
        Self::of("WARC-Payload-Digest", true, value)
    }

    /// The error is the name of an algorithm that is not known.
    fn of(name: &'static str, is_of_payload: bool, value: &str) -> Result<Self, String> {
        let (algorithm, text) = value.split_once(':').unwrap_or(("", value));
        let algorithm = algorithm.trim().to_ascii_lowercase();
        let (hasher, length) = match algorithm.as_str() {
            "sha1" | "sha-1" => (Hasher::ring(&SHA1_FOR_LEGACY_USE_ONLY), 20),
            "sha256" | "sha-256" => (Hasher::ring(&SHA256), 32),
            "sha384" | "sha-384" => (Hasher::ring(&SHA384), 48),
            "sha512" | "sha-512" => (Hasher::ring(&SHA512), 64),
            "md5" => (Hasher::Md5(Md5::default()), 16),
            "" => return Err("a digest without an algorithm".to_owned()),
            other => {
                let end = other.floor_char_boundary(MAX_NAME_BYTES);
                return Err(other.get(..end).unwrap_or_default().to_owned());
            }
        };
        Ok(Self {
            name,
            is_of_payload,
            // What is no digest is not equal to any.
            claimed: decoded(text.trim(), length).unwrap_or_default(),
            hasher,
        })
    }

    /// Takes the beginning of the block, of which `body` bytes come before the payload.
    pub(super) fn begin(&mut self, block: &[u8], body: usize) {
        let from = if self.is_of_payload { body } else { 0 };
        self.update(block.get(from..).unwrap_or_default());
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
    }

    /// Whether the digest is right. Some writers take that of a payload before they remove its
    /// chunks, and some after: `payload` is all of it, if it is in memory.
    pub(super) fn is_right(&self, payload: Option<&[u8]>) -> bool {
        if self.hasher.clone().finish() == self.claimed {
            return true;
        }
        let plain = payload
            .filter(|_| self.is_of_payload)
            .map(capture::dechunked);
        let Some(Ok(Some((plain, _)))) = plain else {
            return false;
        };
        let mut hasher = self.hasher.new_one();
        hasher.update(&plain);
        hasher.finish() == self.claimed
    }
}

impl Hasher {
    fn ring(algorithm: &'static ring::digest::Algorithm) -> Self {
        Self::Ring(Context::new(algorithm))
    }

    /// One of the same algorithm, of no bytes.
    fn new_one(&self) -> Self {
        match self {
            Self::Ring(context) => Self::ring(context.algorithm()),
            Self::Md5(_) => Self::Md5(Md5::default()),
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Ring(context) => context.update(bytes),
            Self::Md5(md5) => md5.update(bytes),
        }
    }

    fn finish(self) -> Vec<u8> {
        match self {
            Self::Ring(context) => context.finish().as_ref().to_vec(),
            Self::Md5(md5) => md5.finish().to_vec(),
        }
    }
}

/// The bytes of a digest of this length, in base16 or base32, which writers choose as they like.
fn decoded(text: &str, length: usize) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let bits: u32 = match text.len() {
        digits if digits == length * 2 => 4,
        digits if digits == (length * 8).div_ceil(5) => 5,
        _ => return None,
    };
    let mut bytes = Vec::with_capacity(length);
    let (mut rest, mut count) = (0_u32, 0);
    for digit in text.bytes().map(|byte| byte.to_ascii_lowercase()) {
        let value = match (digit, bits) {
            (b'0'..=b'9', 4) => digit - b'0',
            (b'a'..=b'f', 4) => digit - b'a' + 10,
            (b'a'..=b'z', 5) => digit - b'a',
            (b'2'..=b'7', 5) => digit - b'2' + 26,
            _ => return None,
        };
        rest = rest << bits | u32::from(value);
        count += bits;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(rest >> count & 0xff).unwrap_or_default());
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_right(value: &str, body: &[u8]) -> bool {
        let mut check = Check::of_payload(value).expect("a known algorithm");
        check.begin(&[b"head", body].concat(), 4);
        check.is_right(Some(body))
    }

    /// Of `abc`, as writers spell them.
    #[test]
    fn digests_are_read_in_every_spelling() {
        for value in [
            "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "SHA-1: vgmt4nsha2awvor6evyxqugcnsonbwe5",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
            "sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
            "sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ====",
            "md5:900150983cd24fb0d6963f7d28e17f72",
            "md5:SAAVBGB42JH3BVUWH56SRYL7OI",
        ] {
            assert!(is_right(value, b"abc"), "{value}");
            assert!(is_right(value, b"3\r\nabc\r\n0\r\n\r\n"), "{value}");
            assert!(!is_right(value, b"abd"), "{value}");
        }
        for value in [
            "sha1:",
            "sha1:0",
            "sha1:é",
            "sha256:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
        ] {
            assert!(!is_right(value, b"abc"), "{value}");
        }
        let unknown = |value: &str| Check::of_block(value).err();
        assert_eq!(unknown("Blake3:00").as_deref(), Some("blake3"));
        assert_eq!(
            unknown("00").as_deref(),
            Some("a digest without an algorithm")
        );
        assert!(unknown(&format!("{}:0", "é".repeat(99))).is_some_and(|name| name.len() <= 24));
    }
}
