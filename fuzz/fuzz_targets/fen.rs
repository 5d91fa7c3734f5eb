//! libFuzzer on the law `fen`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::fen(data));
