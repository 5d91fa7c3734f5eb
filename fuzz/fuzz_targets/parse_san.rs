//! libFuzzer on the law `parse_san`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::parse_san(data));
