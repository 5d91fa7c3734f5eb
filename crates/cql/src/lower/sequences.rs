//! `line` and `path`: their constituents, and whether matching them may be remembered.

use super::Lower;
use crate::ast::{DashUse, Line, Part, Path};
use crate::diagnostic::Span;
use crate::ir::*;
use crate::result::Level;

impl<'p> Lower<'p> {
    fn parts(&mut self, parts: &'p [Part]) -> Box<[ConId]> {
        parts.iter().map(|p| self.part(p)).collect()
    }

    fn part(&mut self, part: &'p Part) -> ConId {
        match part {
            Part::Filter(e) => {
                let body = self.condition(e);
                let props = body.props(&self.ir);
                let linear = self.linearize && props.has(Props::LINEAR);
                self.ir
                    .con_node(Con::Filter { body, linear }, props.without(Props::LINEAR))
            }
            Part::Dash(dash) => {
                let id = self.dash_spec(dash, DashUse::Played);
                let target = dash.target.as_ref().map(|e| self.condition(e));
                let props = id
                    .props(&self.ir)
                    .and(target.props(&self.ir).without(Props::LINEAR));
                self.ir.con_node(Con::Dash(id, target), props)
            }
            Part::Chain(parts) => {
                let ids = self.parts(parts);
                let props = self.ir.all(&ids);
                self.ir.con_node(Con::Chain(ids), props)
            }
            Part::Repeat { part, min, max } => {
                let of = self.part(part);
                let props = of.props(&self.ir);
                self.ir.con_node(
                    Con::Repeat {
                        of,
                        min: *min,
                        max: *max,
                    },
                    props,
                )
            }
        }
    }

    pub(super) fn line(&mut self, line: &'p Line, span: Span) -> LineId {
        self.uses.tree |= line.primary || line.secondary;
        let parts = self.parts(&line.parts);
        let inner = self.ir.all(&parts);
        let banned = if line.nestban {
            Props::WRITES
        } else {
            Props::NONE
        };
        let outer = inner
            .and(line.range.props(&self.ir))
            .and(Props::TREE)
            .and(self.notes(line.quiet))
            .and(banned);
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
            props: inner,
            site: span.start,
        };
        self.ir.line_node(spec, outer)
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
        let atomic = self.variables.iter().any(|v| v.atomic);
        let mut inner = self.ir.all(&parts).and(max.props(&self.ir));
        if atomic {
            inner = inner.and(Props::WRITES);
        }
        let outer = inner
            .and(path.range.props(&self.ir))
            .and(focus.map(|f| f.0).props(&self.ir))
            .and(self.path_notes(path));
        // what a path found can be asked for later
        let outer = outer
            .without(Props::PATH)
            .and(Props::TREE)
            .and(Props::WRITES);
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
            props: inner,
            site: span.start,
        };
        self.ir.path_node(spec, outer)
    }

    fn path_notes(&self, path: &Path) -> Props {
        let says = path.verbose || path.piece_path || path.title.is_some();
        match says && self.level > Level::Silent {
            true => Props::COMMENTS,
            false => self.notes(path.quiet),
        }
    }
}
