//! The program `gametree`.

use std::process::ExitCode;

fn main() -> ExitCode {
    gametree_cli::main()
}
