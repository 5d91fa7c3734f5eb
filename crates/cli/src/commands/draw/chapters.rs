//! `gametree draw --chapters`: all games of a file.

use std::path::{Path, PathBuf};

use desk::draw::{Chapter, Contents, Format, TreeOptions, TreePart, draw_chapters};
use desk::walk::Walk;
use kit::input::Compression;
use kit::number::grouped;
use kit::save::Target;

use super::{Args, summary, write_picture};
use crate::failure::{Exit, Failure};
use crate::output::save_over;
use crate::sessions::open_at;
use crate::shell::Shell;
use crate::sums::draw_failure;

/// More chapters than this are refused: they would fill a disk or a browser.
const MOST_CHAPTERS: usize = 500;

/// A game, the part of it to draw, and how.
type Picture = (Walk, TreePart, TreeOptions);

/// Draws all games into one page or PDF, or into one file each.
pub fn run(
    args: &Args,
    target: &Target,
    format: Format,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    let pictures = pictures(args)?;
    if matches!(format, Format::Html | Format::Pdf) {
        let chapters: Vec<Chapter> = pictures
            .iter()
            .map(|(walk, part, options)| Chapter {
                game: walk.game(),
                part: part.clone(),
                options: options.clone(),
            })
            .collect();
        let drawn = draw_chapters(&chapters, &args.paper(), format).map_err(draw_failure)?;
        save_over(target.clone(), &drawn.bytes, shell.overwrite())?;
        report(target, &drawn.contents, shell);
        return Ok(Exit::Fine);
    }
    let Target::File(path) = target else {
        return Err(Failure::with_fix(
            format_args!("--chapters writes several {format} files, not standard output"),
            "give a file name with -o, or use --format html or pdf",
        ));
    };
    for (number, (walk, part, options)) in (1..).zip(pictures) {
        let target = Target::File(numbered(path, number));
        let picture = (&part, &options, &args.paper());
        let game = walk.into_game();
        let contents = write_picture(game, picture, format, &target, shell.overwrite())?;
        report(&target, &contents, shell);
    }
    Ok(Exit::Fine)
}

fn pictures(args: &Args) -> Result<Vec<Picture>, Failure> {
    let mut session = open_at(&args.files, args.game, args.joined)?;
    let count = session.game_count();
    if count > MOST_CHAPTERS {
        return Err(Failure::with_fix(
            format_args!(
                "--chapters draws at most {MOST_CHAPTERS} games; there are {}",
                grouped(count as u64)
            ),
            "draw one game with --game N, or select games with `gametree convert`",
        ));
    }
    let mut pictures = Vec::with_capacity(count);
    for game in 0..count {
        session.go_to_game(game);
        let mut walk = Walk::new(session.walk().game().clone());
        let (part, options) = args.picture(&session, &mut walk)?;
        pictures.push((walk, part, options));
    }
    Ok(pictures)
}

fn report(target: &Target, contents: &Contents, shell: &mut Shell) {
    if *target != Target::Stdout {
        shell.note(&format!("{target} written{}", summary(contents)));
    }
}

/// `tree.svg` becomes `tree-1.svg`, `tree.svg.gz` becomes `tree-1.svg.gz`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let plain = Compression::strip_extension(&name);
    let stem = plain.rfind('.').unwrap_or(plain.len());
    path.with_file_name(format!("{}-{number}{}", &name[..stem], &name[stem..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_before_the_extension() {
        for (name, expected) in [
            ("tree.svg", "tree-2.svg"),
            ("a/b.c/tree.svg.gz", "a/b.c/tree-2.svg.gz"),
            ("tree", "tree-2"),
        ] {
            assert_eq!(numbered(Path::new(name), 2), Path::new(expected));
        }
    }
}
