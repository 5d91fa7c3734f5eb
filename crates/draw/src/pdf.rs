//! A picture as a PDF page, with text that can be searched and copied.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{
    CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap,
};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use subsetter::{GlyphRemapper, subset};

use crate::DrawError;
use crate::font::{self, Font};
use crate::ink::{Colour, Ink, Theme};
use crate::scene::{Anchor, Look, Mark, PathStep, Scene, Shape, Words};

/// PDF points per unit of the picture.
const POINT: f64 = 0.75;
/// The longest side that PDF allows, in points.
const LONGEST: f64 = 14_400.0;

const SYSTEM: SystemInfo = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// The picture as a PDF file of one page; scaled down if it is too large for a page.
pub fn pdf(scene: &Scene, theme: Theme, scale: f64) -> Result<Vec<u8>, DrawError> {
    let longest = scene.width.max(scene.height);
    let scale = (POINT * scale).min(LONGEST / longest);
    let mut page = Page::new(theme);
    // In PDF, y points upwards.
    let height = scene.height * scale;
    page.content
        .transform([scale, 0.0, 0.0, -scale, 0.0, height].map(|number| number as f32));
    page.content.set_line_cap(LineCapStyle::RoundCap);
    page.content.set_line_join(LineJoinStyle::RoundJoin);
    for layer in &scene.layers {
        page.marks(scene, &layer.marks);
    }
    page.finish(scene, scale)
}

/// The contents of a page while it is drawn.
struct Page {
    content: Content,
    theme: Theme,
    /// The characters in use, of the regular and of the bold font.
    letters: [Letters; 2],
    /// The opacities of translucent colours.
    alphas: BTreeSet<u8>,
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

/// Drawing.
impl Page {
    fn new(theme: Theme) -> Page {
        Page {
            content: Content::new(),
            theme,
            letters: Default::default(),
            alphas: BTreeSet::new(),
        }
    }

    fn marks(&mut self, scene: &Scene, marks: &[Mark]) {
        for mark in marks {
            match mark {
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
    fn with_alpha(&mut self, alpha: u8, draw: impl FnOnce(&mut Page)) {
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
        let Some(font) = font::font(words.bold) else {
            return;
        };
        let letters = &mut self.letters[usize::from(words.bold)];
        let glyphs: Vec<u8> = words
            .text
            .chars()
            .flat_map(|c| letters.glyph(font, c).to_be_bytes())
            .collect();
        let x = match words.anchor {
            Anchor::Start => words.x,
            Anchor::Middle => words.x - font::width(&words.text, words.size, words.bold) / 2.0,
        };
        self.set_fill(words.ink);
        self.content.begin_text();
        self.content
            .set_font(Name(font_name(words.bold)), words.size as f32);
        // The page is flipped; its text must not be.
        self.content
            .set_text_matrix([1.0, 0.0, 0.0, -1.0, x as f32, words.y as f32]);
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
impl Page {
    fn finish(self, scene: &Scene, scale: f64) -> Result<Vec<u8>, DrawError> {
        let mut pdf = Pdf::new();
        let mut refs = Refs(0);
        let [catalog, pages, page_ref, content_ref, info] = std::array::from_fn(|_| refs.next());
        pdf.catalog(catalog).pages(pages);
        pdf.pages(pages).kids([page_ref]).count(1);
        pdf.document_info(info)
            .title(TextStr(&scene.title))
            .creator(TextStr("gametree"));
        let content = pressed(self.content.finish().as_slice());
        pdf.stream(content_ref, &content)
            .filter(Filter::FlateDecode);
        let mut fonts = Vec::new();
        for (bold, letters) in [false, true].into_iter().zip(&self.letters) {
            if let Some(font) = font::font(bold).filter(|_| !letters.chars.is_empty()) {
                let font_ref = refs.next();
                write_font(&mut pdf, &mut refs, font_ref, font, letters)?;
                fonts.push((font_name(bold), font_ref));
            }
        }
        let mut page = pdf.page(page_ref);
        let (width, height) = (scene.width * scale, scene.height * scale);
        page.media_box(Rect::new(0.0, 0.0, width as f32, height as f32));
        page.parent(pages);
        page.contents(content_ref);
        let mut resources = page.resources();
        let mut named = resources.fonts();
        for (name, font) in fonts {
            named.pair(Name(name), font);
        }
        named.finish();
        let mut states = resources.ext_g_states();
        for alpha in self.alphas {
            let part = f32::from(alpha) / 255.0;
            states
                .insert(Name(alpha_name(alpha).as_bytes()))
                .start::<pdf_writer::writers::ExtGraphicsState>()
                .stroking_alpha(part)
                .non_stroking_alpha(part);
        }
        states.finish();
        resources.finish();
        page.finish();
        Ok(pdf.finish())
    }
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

/// From this size on, speed matters more than a few bytes.
const MANY: usize = 1 << 24;

/// Bytes for PDF's `FlateDecode`. Writing into memory cannot fail.
fn pressed(bytes: &[u8]) -> Vec<u8> {
    let compression = if bytes.len() < MANY {
        Compression::default()
    } else {
        Compression::fast()
    };
    let mut encoder = ZlibEncoder::new(Vec::new(), compression);
    let written = encoder.write_all(bytes);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}
