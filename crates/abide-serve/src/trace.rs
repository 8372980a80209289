//! Which trace a request belongs to: the field `traceparent` of W3C Trace Context.

use http::HeaderValue;
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The place of a request in a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trace {
    /// 32 hexadecimal digits.
    pub(crate) id: String,
    /// The span of the service: 16 hexadecimal digits.
    pub(crate) span_id: String,
    flags: String,
    /// Whether the caller sent it.
    is_given: bool,
}

impl Trace {
    /// The trace that the field `traceparent` names, or a new one.
    pub(crate) fn of(parent: Option<&HeaderValue>) -> Self {
        let given = parent.and_then(|value| value.to_str().ok());
        let span_id = format!("{:016x}", unique());
        match given.and_then(parse) {
            Some((trace_id, flags)) => Self {
                id: trace_id.to_owned(),
                span_id,
                flags: flags.to_owned(),
                is_given: true,
            },
            None => Self {
                id: format!("{:016x}{:016x}", unique(), unique()),
                span_id,
                flags: "00".to_owned(),
                is_given: false,
            },
        }
    }

    /// The value of the field `traceresponse`, if the caller named the trace.
    pub(crate) fn response(&self) -> Option<HeaderValue> {
        if !self.is_given {
            return None;
        }
        let mut value = String::new();
        let _ = write!(value, "00-{}-{}-{}", self.id, self.span_id, self.flags);
        HeaderValue::from_str(&value).ok()
    }
}

/// The trace ID and the flags of a `traceparent`.
fn parse(value: &str) -> Option<(&str, &str)> {
    let is_hex = |text: &str, length: usize| {
        text.len() == length
            && text
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_zero = |text: &str| text.bytes().all(|byte| byte == b'0');
    let mut parts = value.split('-');
    let (version, trace_id) = (parts.next()?, parts.next()?);
    let (parent, flags) = (parts.next()?, parts.next()?);
    let is_valid = is_hex(version, 2)
        && version != "ff"
        && (version != "00" || parts.next().is_none())
        && is_hex(trace_id, 32)
        && !is_zero(trace_id)
        && is_hex(parent, 16)
        && !is_zero(parent)
        && is_hex(flags, 2);
    is_valid.then_some((trace_id, flags))
}

/// A number that no other request of this process has, and that nobody guesses. Never 0.
fn unique() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    STATE.hash_one(NEXT.fetch_add(1, Ordering::Relaxed)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traceparents() {
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(
            parse(good),
            Some(("4bf92f3577b34da6a3ce929d0e0e4736", "01"))
        );
        for wrong in [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        let good = HeaderValue::from_static(good);
        let trace = Trace::of(Some(&good));
        assert!(trace.is_given && trace.id == "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_ne!(Trace::of(Some(&good)).span_id, trace.span_id);
        assert_eq!(Trace::of(None).response(), None);
    }
}
