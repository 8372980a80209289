//! The codes of errors in requests. Programs have further ones.

/// Makes the constants, and the list of them.
macro_rules! codes {
    ($($name:ident = $code:literal;)*) => {
        $(
            #[doc = concat!("`", $code, "`")]
            pub const $name: &str = $code;
        )*

        /// What can be wrong with a request.
        #[cfg(feature = "schema")]
        pub(crate) const ALL: &[&str] = &[$($name),*];
    };
}

codes! {
    INVALID_JSON = "invalid-json";
    INVALID_REQUEST = "invalid-request";
    INVALID_AGENT = "invalid-agent";
    INVALID_APPLICATION = "invalid-application";
    INVALID_PURPOSE = "invalid-purpose";
    INVALID_URL = "invalid-url";
    INVALID_ROBOTS = "invalid-robots";
    INVALID_REFERENCES = "invalid-references";
    INVALID_ACAP = "invalid-acap";
    INVALID_PREFERENCES = "invalid-preferences";
    INVALID_REGISTRY = "invalid-registry";
    LINE_TOO_LONG = "line-too-long";
}
