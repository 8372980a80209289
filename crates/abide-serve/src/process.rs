//! What the system says about this process. Only Linux says it, in `/proc`.

use std::fs;

/// The bytes that the process has in memory.
pub(crate) fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// How many file descriptors the process has open.
pub(crate) fn open_files() -> Option<u64> {
    let entries = fs::read_dir("/proc/self/fd").ok()?;
    // One of them is for the folder itself.
    Some((entries.count() as u64).saturating_sub(1))
}

/// How many file descriptors the process may have open; `None` also if there is no limit.
pub(crate) fn most_open_files() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn linux_says_it() {
        assert!(resident_bytes().unwrap() > 1 << 20);
        let before = open_files().unwrap();
        let _file = fs::File::open("/proc/self/status").unwrap();
        assert!(open_files().unwrap() > 2 && before > 2);
        assert!(most_open_files().is_none_or(|most| most > before));
    }
}
