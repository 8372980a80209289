//! SHA-256, and signatures with it.

pub(super) use made_by::{Key, sha256};

#[cfg(not(target_family = "wasm"))]
mod made_by {
    use ring::{digest, hmac};

    pub(in crate::record) fn sha256(bytes: &[u8]) -> [u8; 32] {
        bytes_of(digest::digest(&digest::SHA256, bytes).as_ref())
    }

    fn bytes_of(digest: &[u8]) -> [u8; 32] {
        <[u8; 32]>::try_from(digest).unwrap_or_default()
    }

    /// What signs.
    #[derive(Clone)]
    pub(in crate::record) struct Key(hmac::Key);

    impl Key {
        pub(in crate::record) fn new(secret: &[u8]) -> Self {
            Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
        }

        pub(in crate::record) fn sign(&self, bytes: &[u8]) -> [u8; 32] {
            bytes_of(hmac::sign(&self.0, bytes).as_ref())
        }

        pub(in crate::record) fn verifies(&self, bytes: &[u8], signature: &[u8]) -> bool {
            hmac::verify(&self.0, bytes, signature).is_ok()
        }
    }
}

#[cfg(target_family = "wasm")]
mod made_by {
    use sha2::{Digest, Sha256};

    pub(in crate::record) fn sha256(bytes: &[u8]) -> [u8; 32] {
        Sha256::digest(bytes).into()
    }

    /// There is none: nobody shares records there.
    #[derive(Clone)]
    pub(in crate::record) enum Key {}

    impl Key {
        pub(in crate::record) fn sign(&self, _: &[u8]) -> [u8; 32] {
            match *self {}
        }

        pub(in crate::record) fn verifies(&self, _: &[u8], _: &[u8]) -> bool {
            match *self {}
        }
    }
}
