package types

import (
	"fmt"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// diagnostics are the errors and warnings of a check, and how far they are held back.
type diagnostics struct {
	errs        syntax.ErrorList
	warnings    []warning
	seen        map[fault]bool // instances of one template report a fault once
	speculating int            // depth of speculation: errors are suppressed
	suppressed  int            // errors that speculation suppressed
	why         *string        // where the text of the first suppressed error goes, nil if it is not wanted
	deferral    deferral       // of the errors of instances that nothing needs yet
}

// A fault is what makes two errors the same.
type fault struct {
	pos       syntax.Pos
	code, msg string
}

// An instantiation is a template instance that is being checked, and what asked for it.
type instantiation struct {
	what  string
	pos   syntax.Pos
	outer *instantiation
}

// errorf reports a fault. Code is the stable name of the rule (codes.go). The error is
// for notes; it is nil if it is not to be reported.
func (c *checker) errorf(pos syntax.Pos, code, format string, args ...any) *syntax.Error {
	if c.speculating > 0 {
		if c.why != nil && *c.why == "" {
			*c.why = fmt.Sprintf(format, args...)
		}
		c.suppressed++
		return nil
	}
	c.worker.giveUp()
	if pos.File == preludeName {
		pos = c.user
	}
	e := &syntax.Error{Pos: pos, Code: code, Msg: fmt.Sprintf(format, args...)}
	key := fault{pos, code, e.Msg}
	if c.seen[key] {
		return nil
	}
	c.seen[key] = true
	if c.errs = append(c.errs, e); len(c.errs) == maxErrors {
		e.Note(pos, "that makes %d errors: nothing else is checked", maxErrors)
		panic(exhausted{})
	}
	n := 0
	for i := c.from; i != nil && i.pos.File != preludeName; i = i.outer {
		if n++; n > maxChainNotes && i.outer != nil {
			continue // the innermost and the outermost tell the story
		}
		e.Note(i.pos, "in instantiation of %s requested here", i.what)
	}
	return e
}

// maxErrors bounds what a reader is told of one file.
const maxErrors = 1000

// maxChainNotes bounds the notes about the instances that an error stands in.
const maxChainNotes = 8

// A warning has the cause that it is given for once, nil if there is none, and the number of the declaration that led
// to it.
type warning struct {
	*syntax.Error
	cause any
	at    int
}

// warnf reports what a compiler ignores in a declaration.
func (c *checker) warnf(pos syntax.Pos, code, format string, args ...any) *syntax.Error {
	return c.warnOnce(nil, pos, code, format, args...)
}

// warnOnce reports what a compiler ignores in a body. It does so once, however many instances the body has.
func (c *checker) warnOnce(cause any, pos syntax.Pos, code, format string, args ...any) *syntax.Error {
	if len(c.warnings) == maxErrors {
		return nil
	}
	e := &syntax.Error{Pos: pos, Code: code, Msg: fmt.Sprintf(format, args...)}
	c.warnings = append(c.warnings, warning{e, cause, c.worker.at})
	return e
}

// missing reports a name that nothing declares.
func (c *checker) missing(pos syntax.Pos, code, name, format string, args ...any) *syntax.Error {
	e := c.errorf(pos, code, format, args...)
	if e != nil {
		e.Name = name
	}
	return e
}

// suppress makes a speculation fail because of an error that has been reported elsewhere.
func (c *checker) suppress() {
	if c.speculating > 0 {
		c.suppressed++
	}
}

// attempt runs f without reporting errors and tells whether there were none.
func (c *checker) attempt(f func()) bool {
	saved, suppressed := c.context, c.suppressed
	c.speculating++
	c.suppressed = 0
	f()
	ok := c.suppressed == 0
	c.speculating--
	c.context, c.suppressed = saved, suppressed
	return ok
}

// since reports whether the language version is at least v; otherwise it says
// that what needs a later one.
func (c *checker) since(v int, pos syntax.Pos, what string) bool {
	if c.cfg.Version >= v {
		return true
	}
	c.errorf(pos, codeLanguageVersion, "%s", c.tooEarly(v, what))
	return false
}

// tooEarly says that what needs version v.
func (c *checker) tooEarly(v int, what string) string {
	return fmt.Sprintf("%s needs Metal %d.%d, the program is compiled as Metal %d.%d", what, v/100, v/10%10,
		c.cfg.Version/100, c.cfg.Version/10%10)
}

// undefined reports a call of a function without a body.
func (c *checker) undefined(callee *hir.Func, pos syntax.Pos) {
	if r := c.routines[callee]; r != nil {
		if a := asmLabel(r.decl); a != nil {
			c.errorf(pos, codeUnsupported,
				"%s is the function %q of Apple's compiler, which no specification describes and which is not "+
					"supported", callee.Name, labelText(a))
			return
		}
	}
	c.errorf(pos, codeUndefinedFunction, "function %s is declared but never defined", callee.Name)
}
