//! robots.txt itself is always allowed (REP-46, AMB-REP-15).

/// Whether a normalised path (form C1) is `/robots.txt` itself, which is always allowed.
pub(crate) fn is_robots_txt(c1: &[u8]) -> bool {
    c1 == b"/robots.txt"
}
