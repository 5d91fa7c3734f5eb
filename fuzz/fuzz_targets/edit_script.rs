//! libFuzzer on the law `edit_script`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::edit_script(data));
