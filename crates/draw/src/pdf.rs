//! Pictures as a PDF file, with text that can be searched and copied.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{
    CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap,
};
use pdf_writer::writers::{ExtGraphicsState, Resources};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use subsetter::{GlyphRemapper, subset};

use crate::DrawError;
use crate::board::paper;
use crate::font::{self, Font, Piece};
use crate::ink::{Colour, Ink, Theme};
use crate::scene::{Anchor, Dash, Look, Mark, MarkStream, PathStep, Scene, Shape, Words};
use crate::sheet::{BORDER, Sheet, Tile, Tiling, check_chapters, check_count};
use crate::sign;
use crate::text::shortened;

/// PDF points per unit of the picture.
const POINT: f64 = 0.75;
/// The longest side that PDF allows, in points.
const LONGEST: f64 = 14_400.0;
/// The font size of page labels, in points.
const LABEL: f64 = 9.0;
/// Longer titles are shortened in page labels.
const TITLE_LENGTH: usize = 80;

const SYSTEM: SystemInfo = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// Pictures as a PDF file. Without a sheet each is one page, scaled down if it is too large for
/// one; with a sheet, a picture is divided into as many pages as it needs.
pub fn pdf(
    scenes: &[Scene],
    theme: Theme,
    scale: f64,
    sheet: Option<Sheet>,
) -> Result<(Vec<u8>, usize), DrawError> {
    let mut file = File::new(theme);
    match sheet {
        None => scenes.iter().for_each(|scene| {
            let marks = scene.layers.iter().flat_map(|layer| &layer.marks);
            file.whole(scene, marks, scale);
        }),
        Some(sheet) => file.divided(scenes, sheet, POINT * scale)?,
    }
    let pages = file.pages.len();
    let title = scenes.first().map_or("", |scene| &scene.title);
    Ok((file.finish(title)?, pages))
}

/// One page whose marks are made one by one; `frame` has its size and its stamps.
pub fn page_of_streams(
    frame: &Scene,
    layers: Vec<MarkStream>,
    theme: Theme,
    scale: f64,
) -> Result<Vec<u8>, DrawError> {
    let mut file = File::new(theme);
    let marks = layers.into_iter().flat_map(|layer| layer.marks);
    file.whole(frame, marks, scale);
    file.finish(&frame.title)
}

/// The width of the contents of a page in units of the picture.
pub fn inner_width(sheet: Sheet, scale: f64) -> f64 {
    sheet.inside(POINT * scale).0
}

/// The file while its pages are drawn.
struct File {
    /// The end of the current page.
    content: Content,
    /// The beginning of the current page.
    compressed: Compressor,
    theme: Theme,
    /// The characters in use, of the regular and of the bold font.
    letters: [Letters; 2],
    /// The opacities of translucent colours.
    alphas: BTreeSet<u8>,
    /// The complete pages.
    pages: Vec<Page>,
}

/// A complete page.
struct Page {
    /// Its compressed drawing operations.
    content: Vec<u8>,
    /// Its width in points.
    width: f64,
    /// Its height.
    height: f64,
}

/// Characters of one font: their glyphs in the embedded subset.
#[derive(Default)]
struct Letters {
    remapper: GlyphRemapper,
    chars: BTreeMap<u16, char>,
    widths: BTreeMap<u16, f64>,
}

/// Allocates references to the objects of a file.
struct Refs(i32);

impl Refs {
    fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }
}

/// Pages.
impl File {
    fn new(theme: Theme) -> File {
        File {
            content: Content::new(),
            compressed: Compressor::default(),
            theme,
            letters: Default::default(),
            alphas: BTreeSet::new(),
            pages: Vec::new(),
        }
    }

    /// A page of the size of the picture.
    fn whole(&mut self, scene: &Scene, marks: impl IntoIterator<Item: Borrow<Mark>>, scale: f64) {
        let longest = scene.width.max(scene.height);
        let scale = (POINT * scale).min(LONGEST / longest);
        let (width, height) = (scene.width * scale, scene.height * scale);
        self.start((0.0, 0.0), (0.0, 0.0), scale, height);
        for mark in marks {
            self.marks(scene, [mark]);
            if self.content.len() > MANY {
                self.compress();
            }
        }
        self.end_page(width, height);
    }

    /// Pages of one size, with labels if there are several.
    fn divided(&mut self, scenes: &[Scene], sheet: Sheet, scale: f64) -> Result<(), DrawError> {
        check_chapters(scenes.len())?;
        let tilings = scenes
            .iter()
            .map(|scene| Tiling::new(scene, sheet, scale))
            .collect::<Result<Vec<_>, _>>()?;
        let count = tilings.iter().map(|tiling| tiling.tiles.len()).sum();
        check_count(count)?;
        for (scene, tiling) in scenes.iter().zip(&tilings) {
            for tile in &tiling.tiles {
                self.tile(scene, tiling, tile, sheet, scale);
                if count > 1 {
                    self.label(scene, tiling, tile, sheet, count);
                }
                let (width, height) = sheet.points();
                self.end_page(width, height);
            }
        }
        Ok(())
    }

    /// A part of a picture, and dashed lines where it meets the neighbouring pages.
    fn tile(&mut self, scene: &Scene, tiling: &Tiling, tile: &Tile, sheet: Sheet, scale: f64) {
        let (width, height) = sheet.points();
        self.content.save_state();
        self.start((0.0, 0.0), (0.0, 0.0), 1.0, height);
        self.marks(scene, [&paper(width, height)]);
        self.content.restore_state();
        self.content.save_state();
        let bounds = tile.bounds;
        self.start((bounds.left, bounds.top), (BORDER, BORDER), scale, height);
        let [x, y, w, h] = [
            bounds.left,
            bounds.top,
            bounds.right - bounds.left,
            bounds.bottom - bounds.top,
        ]
        .map(|number| number as f32);
        self.content.rect(x, y, w, h).clip_nonzero().end_path();
        self.marks(scene, seams(tiling, tile));
        self.marks(scene, tile.marks.iter().copied());
        self.content.restore_state();
    }

    /// The label of a page and of its neighbours, below the contents.
    fn label(&mut self, scene: &Scene, tiling: &Tiling, tile: &Tile, sheet: Sheet, count: usize) {
        let (width, height) = sheet.points();
        let arrows = ["←", "→", "↑", "↓"];
        let around = arrows.iter().zip(tiling.neighbours(tile));
        let around: Vec<String> = around
            .filter_map(|(arrow, label)| label.map(|label| format!("{arrow} {label}")))
            .collect();
        let page = format!("page {} of {count}", self.pages.len() + 1);
        let title = shortened(&scene.title, TITLE_LENGTH);
        let rest: Vec<String> = [around.join("   "), page, title]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        let words = |x: f64, bold: bool, text: String| {
            Mark::Words(Words {
                x,
                y: height - BORDER,
                anchor: Anchor::Start,
                size: LABEL,
                bold,
                ink: if bold { Ink::Text } else { Ink::Faint },
                text,
                note: None,
            })
        };
        let label = tile.label();
        let after = BORDER + font::width(&label, LABEL, true) + LABEL;
        self.content.save_state();
        self.start((0.0, 0.0), (0.0, 0.0), 1.0, height);
        self.content
            .rect(0.0, 0.0, (width - BORDER) as f32, height as f32)
            .clip_nonzero()
            .end_path();
        let words = [
            words(BORDER, true, label),
            words(after, false, rest.join(" · ")),
        ];
        self.marks(scene, &words);
        self.content.restore_state();
    }

    /// Sets the coordinates: `origin` of the picture is drawn at `place` of the page, in points
    /// from its upper left corner. In PDF, y points upwards.
    fn start(&mut self, origin: (f64, f64), place: (f64, f64), scale: f64, height: f64) {
        let x = place.0 - origin.0 * scale;
        let y = height - place.1 + origin.1 * scale;
        self.content
            .transform([scale, 0.0, 0.0, -scale, x, y].map(|number| number as f32));
        self.content.set_line_cap(LineCapStyle::RoundCap);
        self.content.set_line_join(LineJoinStyle::RoundJoin);
    }

    fn compress(&mut self) {
        let content = std::mem::replace(&mut self.content, Content::new());
        self.compressed.add(content.finish().as_slice());
    }

    fn end_page(&mut self, width: f64, height: f64) {
        self.compress();
        self.pages.push(Page {
            content: std::mem::take(&mut self.compressed).finish(),
            width,
            height,
        });
    }
}

/// Dashed lines in the middle of what neighbouring pages share.
fn seams(tiling: &Tiling, tile: &Tile) -> Vec<Mark> {
    let bounds = tile.bounds;
    let [left, right, top, bottom] = tiling.seams(tile);
    let down = |x: f64| [(x, bounds.top), (x, bounds.bottom)];
    let across = |y: f64| [(bounds.left, y), (bounds.right, y)];
    let lines = [down(left), down(right), across(top), across(bottom)];
    let shared = tiling.neighbours(tile).into_iter().zip(lines);
    shared
        .filter(|(neighbour, _)| neighbour.is_some())
        .map(|(_, [(x1, y1), (x2, y2)])| {
            let steps = vec![PathStep::Move(x1, y1), PathStep::Line(x2, y2)];
            let look = Look::line(Ink::Faint, 0.6).dashed(Dash::Dashed);
            Mark::Shape(Shape::Path(steps), look)
        })
        .collect()
}

/// Drawing.
impl File {
    fn marks(&mut self, scene: &Scene, marks: impl IntoIterator<Item: Borrow<Mark>>) {
        for mark in marks {
            match mark.borrow() {
                Mark::Shape(shape, look) => self.shape(shape, look),
                Mark::Words(words) => self.words(words),
                &Mark::Stamp { stamp, x, y, scale } => {
                    self.content.save_state();
                    self.content
                        .transform([scale, 0.0, 0.0, scale, x, y].map(|number| number as f32));
                    if let Some(stamp) = scene.stamps.get(stamp) {
                        self.marks(scene, &stamp.marks);
                    }
                    self.content.restore_state();
                }
            }
        }
    }

    fn shape(&mut self, shape: &Shape, look: &Look) {
        let inks = [look.fill, look.line.map(|(ink, _)| ink)];
        let covers = inks
            .into_iter()
            .flatten()
            .map(|ink| self.theme.colour(ink).alpha);
        let alpha = covers.min().unwrap_or(255);
        self.with_alpha(alpha, |page| {
            if let Some(ink) = look.fill {
                page.set_fill(ink);
            }
            if let Some((ink, width)) = look.line {
                let [red, green, blue] = parts(page.theme.colour(ink));
                page.content.set_stroke_rgb(red, green, blue);
                page.content.set_line_width(width as f32);
                let dashes = look.dash.pattern().into_iter().flatten();
                page.content
                    .set_dash_pattern(dashes.map(|length| length as f32), 0.0);
            }
            page.steps(&shape.steps());
            match (look.fill, look.line) {
                (Some(_), Some(_)) => page.content.fill_nonzero_and_stroke(),
                (Some(_), None) => page.content.fill_nonzero(),
                (None, Some(_)) => page.content.stroke(),
                (None, None) => page.content.end_path(),
            };
        });
    }

    fn set_fill(&mut self, ink: Ink) {
        let [red, green, blue] = parts(self.theme.colour(ink));
        self.content.set_fill_rgb(red, green, blue);
    }

    /// Draws with a translucent colour.
    fn with_alpha(&mut self, alpha: u8, draw: impl FnOnce(&mut File)) {
        if alpha == 255 {
            return draw(self);
        }
        self.alphas.insert(alpha);
        self.content.save_state();
        self.content
            .set_parameters(Name(alpha_name(alpha).as_bytes()));
        draw(self);
        self.content.restore_state();
    }

    fn steps(&mut self, steps: &[PathStep]) {
        for step in steps {
            match *step {
                PathStep::Move(x, y) => self.content.move_to(x as f32, y as f32),
                PathStep::Line(x, y) => self.content.line_to(x as f32, y as f32),
                PathStep::Curve(x1, y1, x2, y2, x, y) => {
                    let [x1, y1, x2, y2, x, y] = [x1, y1, x2, y2, x, y].map(|number| number as f32);
                    self.content.cubic_to(x1, y1, x2, y2, x, y)
                }
                PathStep::Close => self.content.close_path(),
            };
        }
    }

    fn words(&mut self, words: &Words) {
        self.set_fill(words.ink);
        for piece in font::pieces(words) {
            match piece.sign {
                Some(sign) => self.sign(words, piece, sign),
                None => self.letters(words, piece),
            }
        }
    }

    /// A sign that the font lacks: an outline, labelled with the sign as text.
    fn sign(&mut self, words: &Words, piece: Piece, sign: char) {
        self.content
            .begin_marked_content_with_properties(Name(b"Span"))
            .properties()
            .actual_text(TextStr(piece.text));
        let place = |x: f64, y: f64| (piece.x + words.size * x, words.y + words.size * y);
        let steps = sign::outline(sign, words.bold).unwrap_or_default();
        let placed: Vec<PathStep> = steps.iter().map(|step| step.mapped(place)).collect();
        self.steps(&placed);
        self.content.fill_nonzero();
        self.content.end_marked_content();
    }

    fn letters(&mut self, words: &Words, piece: Piece) {
        let Some(font) = font::font(words.bold) else {
            return;
        };
        let letters = &mut self.letters[usize::from(words.bold)];
        let glyphs: Vec<u8> = piece
            .text
            .chars()
            .flat_map(|c| letters.glyph(font, c).to_be_bytes())
            .collect();
        self.content.begin_text();
        self.content
            .set_font(Name(font_name(words.bold)), words.size as f32);
        // The page is flipped; its text must not be.
        self.content
            .set_text_matrix([1.0, 0.0, 0.0, -1.0, piece.x as f32, words.y as f32]);
        self.content.show(Str(&glyphs));
        self.content.end_text();
    }
}

impl Letters {
    /// The glyph of a character in the embedded subset.
    fn glyph(&mut self, font: &Font, c: char) -> u16 {
        let glyph = self.remapper.remap(font.glyph(c).0);
        self.chars.entry(glyph).or_insert(c);
        self.widths
            .entry(glyph)
            .or_insert_with(|| font.advance(c) * 1000.0);
        glyph
    }
}

fn parts(colour: Colour) -> [f32; 3] {
    colour.rgb.map(|part| f32::from(part) / 255.0)
}

fn alpha_name(alpha: u8) -> String {
    format!("A{alpha}")
}

fn font_name(bold: bool) -> &'static [u8] {
    if bold { b"F1" } else { b"F0" }
}

/// Assembling the file.
impl File {
    fn finish(self, title: &str) -> Result<Vec<u8>, DrawError> {
        let mut pdf = Pdf::new();
        let mut refs = Refs(0);
        let [catalog, tree, info] = std::array::from_fn(|_| refs.next());
        let pages: Vec<(Ref, Ref)> = self
            .pages
            .iter()
            .map(|_| (refs.next(), refs.next()))
            .collect();
        pdf.catalog(catalog).pages(tree);
        pdf.pages(tree)
            .kids(pages.iter().map(|&(page, _)| page))
            .count(i32::try_from(pages.len()).unwrap_or(i32::MAX));
        pdf.document_info(info)
            .title(TextStr(title))
            .creator(TextStr("gametree"));
        let mut fonts = Vec::new();
        for (bold, letters) in [false, true].into_iter().zip(&self.letters) {
            if let Some(font) = font::font(bold).filter(|_| !letters.chars.is_empty()) {
                let font_ref = refs.next();
                write_font(&mut pdf, &mut refs, font_ref, font, letters)?;
                fonts.push((font_name(bold), font_ref));
            }
        }
        for (&(page_ref, content_ref), page) in pages.iter().zip(&self.pages) {
            pdf.stream(content_ref, &page.content)
                .filter(Filter::FlateDecode);
            let mut written = pdf.page(page_ref);
            let (width, height) = (page.width as f32, page.height as f32);
            written.media_box(Rect::new(0.0, 0.0, width, height));
            written.parent(tree);
            written.contents(content_ref);
            write_resources(&mut written.resources(), &fonts, &self.alphas);
        }
        Ok(pdf.finish())
    }
}

/// The fonts and opacities that a page may use.
fn write_resources(resources: &mut Resources, fonts: &[(&[u8], Ref)], alphas: &BTreeSet<u8>) {
    let mut named = resources.fonts();
    for &(name, font) in fonts {
        named.pair(Name(name), font);
    }
    named.finish();
    let mut states = resources.ext_g_states();
    for &alpha in alphas {
        let part = f32::from(alpha) / 255.0;
        states
            .insert(Name(alpha_name(alpha).as_bytes()))
            .start::<ExtGraphicsState>()
            .stroking_alpha(part)
            .non_stroking_alpha(part);
    }
    states.finish();
}

/// A font subset with the characters in use.
fn write_font(
    pdf: &mut Pdf,
    refs: &mut Refs,
    font_ref: Ref,
    font: &Font,
    letters: &Letters,
) -> Result<(), DrawError> {
    let [cid_ref, descriptor_ref, cmap_ref, data_ref] = std::array::from_fn(|_| refs.next());
    // The name of a subset starts with a tag of six letters.
    let name = format!("GAMETR+{}", font.name);
    let name = Name(name.as_bytes());
    pdf.type0_font(font_ref)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(cid_ref)
        .to_unicode(cmap_ref);
    let mut cid = pdf.cid_font(cid_ref);
    cid.subtype(CidFontType::Type2)
        .base_font(name)
        .system_info(SYSTEM)
        .font_descriptor(descriptor_ref)
        .default_width(0.0)
        .cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid.widths();
    for (&glyph, &width) in &letters.widths {
        widths.consecutive(glyph, [width as f32]);
    }
    widths.finish();
    cid.finish();
    let measures = font.measures();
    let [left, lower, right, upper] = measures.bounds;
    pdf.font_descriptor(descriptor_ref)
        .name(name)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(left, lower, right, upper))
        .italic_angle(0.0)
        .ascent(measures.ascent)
        .descent(measures.descent)
        .cap_height(measures.capitals)
        .stem_v(80.0)
        .font_file2(data_ref);
    let mut cmap = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
    for (&glyph, &c) in &letters.chars {
        cmap.pair(glyph, c);
    }
    pdf.cmap(cmap_ref, cmap.finish().as_slice());
    let file = subset(font.file, 0, &letters.remapper)
        .map_err(|error| DrawError::Font(error.to_string()))?;
    pdf.stream(data_ref, &pressed(&file))
        .filter(Filter::FlateDecode);
    Ok(())
}

/// From this size on, speed matters more than a few bytes, and a page is compressed in parts.
const MANY: usize = 1 << 24;

/// Bytes for PDF's `FlateDecode`.
fn pressed(bytes: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::default();
    compressor.add(bytes);
    compressor.finish()
}

/// Parts of drawing operations for PDF's `FlateDecode`. Writing into memory cannot fail.
#[derive(Default)]
struct Compressor(Option<ZlibEncoder<Vec<u8>>>);

impl Compressor {
    fn add(&mut self, part: &[u8]) {
        let compression = if part.len() < MANY {
            Compression::default()
        } else {
            Compression::fast()
        };
        match &mut self.0 {
            // Operations are separated by line ends.
            Some(encoder) => _ = encoder.write_all(b"\n").and(encoder.write_all(part)),
            None => {
                let mut encoder = ZlibEncoder::new(Vec::new(), compression);
                _ = encoder.write_all(part);
                self.0 = Some(encoder);
            }
        }
    }

    fn finish(self) -> Vec<u8> {
        let finished = self.0.map(ZlibEncoder::finish);
        finished.and_then(Result::ok).unwrap_or_default()
    }
}
