//! libFuzzer on the law `sums`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::sums(data));
