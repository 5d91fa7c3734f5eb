//! The Rust examples of the guide, run as doc tests: one line for each page that has some.

/// Attaches a page as documentation to an item, so that its doc tests run.
macro_rules! pages {
    ($($name:ident $path:literal)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../../docs/", $path))]
            pub struct $name;
        )*

        #[cfg(test)]
        const PAGES: &[&str] = &[$($path),*];
    };
}

pages! {
    AddAGame "add-a-game.md"
    Library "library.md"
    PythonChess "python-chess.md"
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_page_with_rust_in_it_is_run() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        for entry in fs::read_dir(docs).expect("docs/ is there") {
            let path = entry.expect("an entry").path();
            let text = fs::read_to_string(&path).unwrap_or_default();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let listed = super::PAGES.contains(&name.as_str());
            assert_eq!(
                text.contains("\n```rust\n"),
                listed,
                "{name}: its line in crates/desk/src/guide.rs"
            );
        }
    }

    /// Excerpts in the guide match the source files of the games.
    #[test]
    fn excerpts_of_games_are_in_their_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = fs::read_to_string(root.join("docs/add-a-game.md")).expect("the page");
        let mut excerpts = 0;
        for part in page.split("\n*").skip(1) {
            let Some((file, rest)) = part.split_once("*\n```rust,ignore\n") else {
                continue;
            };
            let code = rest.split("```").next().unwrap_or_default();
            let source = root.join("crates/sums/src/rules").join(file);
            let source = fs::read_to_string(source).expect("a game's file");
            assert!(source.contains(code), "not in {file}:\n{code}");
            excerpts += 1;
        }
        assert_eq!(excerpts, 7);
    }
}
