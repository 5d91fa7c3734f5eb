//! libFuzzer on the law `snapshot`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::snapshot(data));
