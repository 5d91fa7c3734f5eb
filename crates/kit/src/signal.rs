//! How signals are handled.

/// True if a signal is ignored, as the caller of a program can request: `nohup` does with SIGHUP.
#[cfg(unix)]
#[allow(unsafe_code, reason = "the system fills a struct of C")]
pub fn is_signal_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action nothing changes; the system writes the present one.
    let is_known = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) } == 0;
    // SAFETY: zeros are a valid action too.
    is_known && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// True if a signal is ignored.
#[cfg(not(unix))]
pub fn is_signal_ignored(_: i32) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_some_signals_are_ignored() {
        // Rust programs ignore it, so that writing to a closed pipe is an error
        assert!(is_signal_ignored(libc::SIGPIPE));
        assert!(!is_signal_ignored(libc::SIGSEGV));
        assert!(!is_signal_ignored(-1));
    }
}
