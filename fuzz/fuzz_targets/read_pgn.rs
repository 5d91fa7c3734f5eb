//! libFuzzer on the law `read_pgn`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::read_pgn(data));
