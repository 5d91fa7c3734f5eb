//! The variables and functions declared so far.

use super::{Parse, Parser, level};
use crate::ast::{Expr, ExprKind as Ast, Preset, Type, VarId, Variable};
use crate::diagnostic::{Diagnostic, Span};
use crate::lex::TokenKind;
use crate::words;
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Names {
    pub(super) variables: Vec<Variable>,
    by_name: HashMap<String, VarId>,
    functions: HashMap<String, Function>,
    /// Parameters of the function whose body is being parsed, innermost call last.
    scopes: Vec<(String, HashMap<String, VarId>)>,
}

#[derive(Clone)]
struct Function {
    parameters: Vec<String>,
    /// Tokens of the body, braces included.
    body: (usize, usize),
}

/// The initial state of a new variable.
pub(super) fn variable(name: &str, ty: Type) -> Variable {
    Variable {
        name: name.into(),
        ty,
        is_piece: false,
        persistent: false,
        quiet: false,
        atomic: false,
        entry: (Type::Unknown, Type::Unknown),
        preset: None,
        assigned: true,
    }
}

impl Names {
    pub(super) fn find(&self, name: &str) -> Option<VarId> {
        let local = self.scopes.last().and_then(|(_, scope)| scope.get(name));
        local.or_else(|| self.by_name.get(name)).copied()
    }

    pub(super) fn get(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: VarId) -> &mut Variable {
        &mut self.variables[id.0 as usize]
    }

    /// Declares a variable under its name in the current scope.
    pub(super) fn declare(&mut self, variable: Variable) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.by_name.insert(variable.name.clone(), id);
        self.variables.push(variable);
        id
    }

    fn is_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        self.by_name
            .keys()
            .map(String::as_str)
            .chain(self.functions.keys().map(String::as_str))
    }
}

impl<'s> Parser<'s> {
    pub(super) fn preset(&mut self, presets: &[(String, String)]) {
        for (name, value) in presets {
            let (ty, preset) = match value.parse() {
                Ok(n) => (Type::Number, Preset::Number(n)),
                Err(_) => (Type::Text, Preset::Text(value.clone())),
            };
            self.names.declare(Variable {
                preset: Some(preset),
                ..variable(name, ty)
            });
        }
    }

    /// The next token if it can name a variable.
    pub(super) fn name_here(&self) -> Option<&'s str> {
        let token = self.token().filter(|t| t.kind == TokenKind::Word)?;
        (!words::is_reserved(token.text)).then_some(token.text)
    }

    pub(super) fn expect_name(&mut self, purpose: &str) -> Parse<(&'s str, Span)> {
        let span = self.here();
        if let Some(name) = self.name_here() {
            self.at += 1;
            return Ok((name, span));
        }
        let found = self.found();
        let message = match self.token().map(|t| t.kind) {
            Some(TokenKind::Word) => {
                format!("{found} is a keyword and cannot name {purpose}")
            }
            Some(TokenKind::Designator(_)) => {
                format!("{found} is a piece designator and cannot name {purpose}")
            }
            _ => format!("expected a name for {purpose}, found {found}"),
        };
        Err(self.stop(span, message))
    }

    /// The variable of that name, created if it is new; its type must be `ty`.
    pub(super) fn declare(&mut self, name: &str, span: Span, ty: Type, is_piece: bool) -> VarId {
        let Some(id) = self.names.find(name) else {
            return self.names.declare(Variable {
                is_piece,
                ..variable(name, ty)
            });
        };
        let known = self.names.get(id);
        let (known_ty, known_piece) = (known.ty, known.is_piece);
        if known_ty == Type::Unknown {
            self.names.get_mut(id).ty = ty;
        } else if !known_ty.fits(ty) {
            let message = format!(
                "‘{name}’ holds {} already and cannot hold {}",
                known_ty.name(),
                ty.name()
            );
            self.complain(Diagnostic::new(span, message));
        } else if known_piece != is_piece {
            let message = if known_piece {
                "is a piece variable already"
            } else {
                "is not a piece variable"
            };
            self.complain(
                Diagnostic::new(span, format!("‘{name}’ {message}")).help("choose another name"),
            );
        }
        self.names.get_mut(id).assigned = true;
        id
    }

    pub(super) fn known(&self, name: &str) -> bool {
        self.names.find(name).is_some() || self.names.is_function(name)
    }

    /// A variable, a call, or an error for an unknown name.
    pub(super) fn named(&mut self, name: &'s str) -> Parse<Expr> {
        if self.names.is_function(name)
            && self
                .ahead(1)
                .is_some_and(|t| t.kind == TokenKind::Symbol && t.text == "(")
        {
            return self.call(name);
        }
        let span = self.here();
        if let Some(id) = self
            .names
            .find(name)
            .filter(|&id| self.names.get(id).assigned)
        {
            self.at += 1;
            return self.variable_use(id, span);
        }
        self.at += 1;
        let known = self.names.all().chain(words::RESERVED.iter().copied());
        let written_apart = self.written_apart(name);
        let nearest = written_apart
            .or_else(|| words::meant(name))
            .or_else(|| words::nearest(name, known));
        let help = nearest.map(|n| format!("did you mean ‘{n}’?"));
        let help = self.help_by_place(name, span).or(help);
        let what = if self.is_symbol("(") {
            "function"
        } else {
            "filter or variable"
        };
        let mut complaint = Diagnostic::new(span, format!("unknown {what} ‘{name}’"));
        let first = match what {
            "function" => format!("define it first: ‘function {name}(…) {{ … }}’"),
            _ => "a variable must be assigned before it is used".into(),
        };
        complaint.help = help.or(Some(first));
        self.complain(complaint);
        if self.is_symbol("(") {
            self.skip_brackets();
        }
        Ok(self.broken(span))
    }

    /// The keyword formed by an unknown name and the words around it. The name is the token before
    /// the next one.
    fn written_apart(&self, name: &str) -> Option<&'static str> {
        let word = |at: Option<usize>| {
            let token = self.tokens.get(at?)?;
            matches!(token.kind, TokenKind::Word | TokenKind::Designator(_)).then_some(token.text)
        };
        let after = word(Some(self.at)).unwrap_or("");
        let later = word(Some(self.at + 1)).unwrap_or("");
        let before = word(self.at.checked_sub(2)).unwrap_or("");
        words::joined(&format!("{name}{after}{later}"))
            .or_else(|| words::joined(&format!("{name}{after}")))
            .or_else(|| words::joined(&format!("{before}{name}")))
            .or_else(|| words::joined(name))
    }

    /// A suggestion for an unknown name, by its context.
    fn help_by_place(&self, name: &str, span: Span) -> Option<String> {
        let before = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        let takes_text = ["player", "event", "site", "date", "eventdate", "eco"];
        if before.is_some_and(|t| takes_text.contains(&t.text)) {
            return Some(format!("names are written in quotes: \"{name}\""));
        }
        let after = self.token().filter(|t| t.span.start == span.end);
        if name.len() == 1 && after.is_some_and(|t| t.text == "[") {
            return Some("squares in brackets are separated by commas, as in ‘P[e4,e5]’".into());
        }
        let mut last = name.chars().rev();
        let is_square = last.next().is_some_and(|c| c.is_ascii_digit())
            && last.next().is_some_and(|c| c.is_ascii_alphabetic())
            && name.len() <= 3;
        is_square.then(|| "squares are a1 to h8, in small letters".into())
    }

    fn variable_use(&mut self, id: VarId, span: Span) -> Parse<Expr> {
        let ty = self.names.get(id).ty;
        if ty == Type::Dictionary && self.is_symbol("[") {
            return self.lookup(id, span);
        }
        Ok(self.make(Ast::Variable(id), ty, span))
    }

    pub(super) fn skip_brackets(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.token() {
            depth += super::nesting(&token);
            self.at += 1;
            if depth <= 0 {
                return;
            }
        }
    }

    /// `function f(x y) { … }`: stores the tokens, which are parsed at each call.
    pub(super) fn function(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let (name, _) = self.expect_name("a function")?;
        self.need("(", "after the function's name")?;
        let mut parameters: Vec<String> = Vec::new();
        while !self.is_symbol(")") {
            let (parameter, span) = self.expect_name("a parameter")?;
            if parameters.iter().any(|p| p == parameter) {
                return Err(self.stop(
                    span,
                    format!("there are two parameters called ‘{parameter}’"),
                ));
            }
            parameters.push(parameter.into());
            self.eat_symbol(",");
        }
        self.at += 1;
        let from = self.at;
        if !self.is_symbol("{") {
            return Err(self.stop(self.here(), "expected ‘{’ before the function's body"));
        }
        self.skip_brackets();
        self.names.functions.insert(
            name.into(),
            Function {
                parameters,
                body: (from, self.at),
            },
        );
        let span = self.since(start);
        Ok(self.make(Ast::Simple(crate::ast::Simple::True), Type::Condition, span))
    }

    /// A variable is passed by name; other arguments are assigned to a new variable.
    fn call(&mut self, name: &'s str) -> Parse<Expr> {
        let start = self.here();
        let Some(function) = self.names.functions.get(name).cloned() else {
            return Err(super::Stop);
        };
        if self.names.scopes.iter().any(|(caller, _)| caller == name) {
            return Err(self.stop(
                start,
                format!("‘{name}’ calls itself, which functions cannot do"),
            ));
        }
        self.at += 2;
        let mut given = Vec::new();
        while self.starts_filter() {
            given.push(self.expr(level::OR)?);
            self.eat_symbol(",");
        }
        self.need(")", "after the arguments")?;
        let span = self.since(start);
        if given.len() != function.parameters.len() {
            let wants = function.parameters.len();
            return Err(self.stop(
                span,
                format!(
                    "‘{name}’ takes {wants} arguments, {} are given",
                    given.len()
                ),
            ));
        }
        let (scope, args) = self.bind_arguments(&function.parameters, given);
        self.names.scopes.push((name.into(), scope));
        let back = std::mem::replace(&mut self.at, function.body.0);
        let body = self.nested(Parser::braces);
        self.at = back;
        self.names.scopes.pop();
        let body = body?;
        let ty = body.ty;
        Ok(self.make(
            Ast::Call {
                args,
                body: Box::new(body),
            },
            ty,
            span,
        ))
    }

    fn bind_arguments(
        &mut self,
        parameters: &[String],
        given: Vec<Expr>,
    ) -> (HashMap<String, VarId>, Vec<(VarId, Expr)>) {
        let mut scope = HashMap::new();
        let mut args = Vec::new();
        for (parameter, value) in parameters.iter().zip(given) {
            if let Ast::Variable(id) = value.kind {
                scope.insert(parameter.clone(), id);
                continue;
            }
            if value.ty == Type::Condition {
                let message = "a condition cannot be passed to a function";
                self.complain(
                    Diagnostic::new(value.span, message)
                        .help("pass a number, text, set or position"),
                );
            }
            let fresh = format!("{parameter}#{}", self.names.variables.len());
            let id = self.names.declare(variable(&fresh, value.ty));
            scope.insert(parameter.clone(), id);
            args.push((id, value));
        }
        (scope, args)
    }
}
