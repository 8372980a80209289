//! Numbers of things.

/// A number with the thing that it counts, whose plural has an `s`.
///
/// ```
/// use abide::explain::counted;
/// assert_eq!(counted(1, "rule"), "1 rule");
/// assert_eq!(counted(0, "rule"), "0 rules");
/// ```
#[must_use]
pub fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
