//! libFuzzer on the law `game_starts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::game_starts(data));
