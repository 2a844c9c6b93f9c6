//! How much memory the process has.

/// Returns the bytes that are in memory now; none where the system does not say.
pub(super) fn resident_bytes() -> Option<i64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let n_pages: i64 = text.split_whitespace().nth(1)?.parse().ok()?;
    n_pages.checked_mul(i64::try_from(rustix::param::page_size()).ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn a_process_takes_some_memory() {
        let bytes = super::resident_bytes().unwrap();
        assert!((1 << 20..1 << 36).contains(&bytes), "{bytes}");
    }
}
