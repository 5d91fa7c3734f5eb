//! libFuzzer on the law `polyglot`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::polyglot(data));
