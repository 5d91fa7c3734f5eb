//! Counts the lines of files, compressed or not, on all cores, in the order given.
//!
//! ```text
//! cargo run -p gametree-kit --example count_lines -- README.md games.pgn.zst
//! ```
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::io::{self, Read};
use std::ops::ControlFlow;

use gametree_kit::Workers;
use gametree_kit::input::{InputError, Source, gather};

fn main() -> Result<(), InputError> {
    let sources = gather(std::env::args_os().skip(1), &[".txt", ".md", ".pgn"])?;
    Workers::default().run(
        sources.into_iter(),
        |source| (source.name().into_owned(), count(&source)),
        |(name, lines)| {
            match lines {
                Ok(lines) => println!("{lines:>9}  {name}"),
                Err(error) => eprintln!("{error}"),
            }
            ControlFlow::<()>::Continue(())
        },
    );
    Ok(())
}

fn count(source: &Source) -> Result<usize, InputError> {
    let mut reader = io::BufReader::new(source.open()?);
    let mut text = Vec::new();
    reader
        .read_to_end(&mut text)
        .map_err(|error| source.error_at(error))?;
    Ok(text.iter().filter(|&&byte| byte == b'\n').count())
}
