//! `line` and `path`: their constituents, and whether their results can be cached.

use super::Lower;
use crate::ast::{DashUse, Line, Part, Path};
use crate::diagnostic::Span;
use crate::ir::*;

impl<'p> Lower<'p> {
    fn parts(&mut self, parts: &'p [Part]) -> Box<[ConId]> {
        parts.iter().map(|p| self.part(p)).collect()
    }

    fn part(&mut self, part: &'p Part) -> ConId {
        match part {
            Part::Filter(e) => {
                let body = self.condition(e);
                let linear = self.linearize && body.props(&self.ir).has(Props::LINEAR);
                self.ir.con_node(Con::Filter { body, linear })
            }
            Part::Dash(dash) => {
                let id = self.dash_spec(dash, DashUse::Played);
                let target = dash.target.as_ref().map(|e| self.condition(e));
                self.ir.con_node(Con::Dash(id, target))
            }
            Part::Chain(parts) => {
                let ids = self.parts(parts);
                self.ir.con_node(Con::Chain(ids))
            }
            Part::Repeat { part, min, max } => {
                let of = self.part(part);
                self.ir.con_node(Con::Repeat {
                    of,
                    min: *min,
                    max: *max,
                })
            }
        }
    }

    /// The variant of a line or path; all variants share one that bans no positions.
    fn variant_of(&mut self, nestban: bool) -> u32 {
        if nestban {
            self.has_bans = true;
            self.variant
        } else {
            0
        }
    }

    pub(super) fn line(&mut self, line: &'p Line, span: Span) -> LineId {
        self.uses.tree |= line.primary || line.secondary;
        let parts = self.parts(&line.parts);
        let Line {
            back,
            range,
            single_color,
            primary,
            secondary,
            nestban,
            firstmatch,
            quiet,
            ..
        } = *line;
        let spec = LineSpec {
            back,
            range,
            single_color,
            primary,
            secondary,
            nestban,
            firstmatch,
            quiet,
            parts,
            site: span.start,
            variant: self.variant_of(nestban),
        };
        self.ir.line_node(spec)
    }

    pub(super) fn path(&mut self, path: &'p Path, span: Span) -> PathId {
        self.uses.identity |= path.focus.is_some();
        self.uses.tree |= path.primary;
        let parts = self.parts(&path.parts);
        let focus = path
            .focus
            .as_ref()
            .map(|(e, capture)| (self.set(e), *capture));
        let max = path.max.as_ref().map(|e| self.num(e));
        let Path {
            range,
            primary,
            nestban,
            firstmatch,
            quiet,
            verbose,
            piece_path,
            keep_all_best,
            ..
        } = *path;
        let spec = PathSpec {
            range,
            focus,
            max,
            primary,
            nestban,
            firstmatch,
            quiet,
            verbose,
            title: path.title.as_deref().map(Into::into),
            piece_path,
            keep_all_best,
            parts,
            site: span.start,
            variant: self.variant_of(nestban),
        };
        self.ir.path_node(spec)
    }
}
