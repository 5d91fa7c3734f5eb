//! libFuzzer on the law `database`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::database(data));
