//! libFuzzer on the law `journal`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::journal(data));
