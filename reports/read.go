package reports

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/internal/regular"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Read reads what a Log wrote, from the file of the given name. Lines that are not
// sound are left out and are among the flaws of the run. ok is false if the header
// is not: then nothing is known of the lines, and all of them are left out.
//
// A run that was killed is no flaw: it has no ending, and a last line that it
// left unfinished is dropped.
func Read(r io.Reader, name string) (run Run, ok bool, err error) { return (*Room)(nil).Read(r, name) }

func (r *Room) read(from io.Reader, name string) (run Run, ok bool, err error) {
	d := &reading{name: name, taken: map[int]bool{}, cases: map[string]bool{}}
	lines := bufio.NewReader(from)
	for d.number = 1; ; d.number++ {
		text, err := readLine(lines, d.room[:0])
		d.room = text
		switch {
		case errors.Is(err, io.EOF) && d.number == 1 && len(text) == 0:
			d.flaw("empty: conform run had not begun")
			return d.run, false, nil
		case errors.Is(err, io.EOF) && d.number > 1 && !json.Valid(text):
			if d.run.Ending != nil && len(text) > 0 {
				d.flaw("%s after the end of the run", printable.Count(len(text), "byte"))
			}
			d.run.sort()
			return d.run, true, nil
		case err != nil && !errors.Is(err, io.EOF):
			return d.run, false, err
		}
		if err := r.take(text); err != nil {
			return d.run, false, fmt.Errorf("%s:%d: %w", name, d.number, err)
		}
		switch {
		case d.number > 1:
			d.line(text)
		case !d.header(text):
			return d.run, false, nil
		}
	}
}

// maxLine is the most bytes of a line: those of a case with many outputs are a thousandth of it.
const maxLine = 32 << 20

// readLine reads up to the end of a line, and of one that is longer than any only as much as
// shows that. It is appended to what there is.
func readLine(r *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("a line has more than %d bytes: conform wrote none of such a length", maxLine)
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// reading is a file on its way into a run.
type reading struct {
	run     Run
	name    string
	number  int          // of the line
	version int          // of the lines
	taken   map[int]bool // indices
	cases   map[string]bool
	room    []byte // of the line
}

// flaw notes what is wrong with the line.
func (d *reading) flaw(format string, args ...any) {
	d.run.Flaws = append(d.run.Flaws,
		Flaw{File: d.name, Line: d.number, Message: printable.Message(fmt.Sprintf(format, args...))})
}

// header takes in the first line.
func (d *reading) header(text []byte) bool {
	var kind struct {
		Schema        any // another program's may be a number
		Case, Conform string
		Version       int
	}
	err := regular.JSON(text, &kind)
	switch {
	case err != nil:
		d.flaw("no header: %s; the file is damaged, or no results of conform run", syntax(err))
	case kind.Schema == nil && kind.Case != "":
		d.flaw("no header: the beginning of the file is missing, or a version of conform without headers wrote " +
			"it; run conform " +
			"run -o again")
	case kind.Schema != Schema:
		d.flaw("not results of conform run: the first line has no \"schema\":%q", Schema)
	case kind.Version > Version:
		d.flaw("version %d of the results, and this program reads up to %d; report them with the conform that wrote "+
			"them, %s, or a later one", kind.Version, Version, kind.Conform)
	case kind.Version < 1:
		d.flaw("version %d of the results, want 1 to %d", kind.Version, Version)
	default:
		decode := decodeHeader
		if d.version = kind.Version; d.version == 1 {
			decode = decodeHeaderV1
		}
		if d.run.Header, err = decode(text); err != nil {
			d.flaw("the header is damaged: %s", syntax(err))
			return false
		}
		d.run.Device.complete(d.run.Options)
		return d.sound()
	}
	return false
}

// decodeHeader reads a header of this version.
func decodeHeader(text []byte) (h Header, err error) {
	err = json.Unmarshal(text, &h)
	return h, err
}

// sound checks what the rest of the program takes for granted of a header.
func (d *reading) sound() bool {
	h := &d.run.Header
	shard := h.Shard
	switch {
	case h.Planned < 0:
		d.flaw("the header is damaged: %d cases are planned", h.Planned)
	case shard != nil && !(1 <= shard.Index && shard.Index <= shard.Of):
		d.flaw("the header is damaged: there is no shard %d of %d", shard.Index, shard.Of)
	default:
		return true
	}
	return false
}

// line takes in a line after the first. It is decoded once, whatever it is: most of what reading takes is that.
func (d *reading) line(text []byte) {
	l, err := d.decode(text)
	var broken *json.SyntaxError
	if !errors.As(err, &broken) {
		err = cmp.Or(regular.Unambiguous(text), err)
	}
	var mistyped *json.UnmarshalTypeError
	switch {
	case err != nil && !errors.As(err, &mistyped):
		d.flaw("damaged: %s", syntax(err))
	case d.run.Ending != nil:
		d.flaw("a line after the end of the run; files of several runs are to be given one by one")
	case l.Schema != "":
		d.flaw("a second header; files of several runs are to be given one by one")
	case l.Ended != nil:
		d.ending(text)
	default:
		d.result(l.line, err)
	}
}

// result takes in a case, or what could be decoded of it.
func (d *reading) result(l line, err error) {
	spelt(&l.Result)
	switch {
	case err != nil:
		d.flaw("damaged: %s", syntax(err))
	case longest(l.Result) > mostName:
		d.flaw("no result: a name of %d bytes, want at most %d", longest(l.Result), mostName)
	case l.Case == "" || l.Kernel == "":
		d.flaw("neither a result nor the end of the run: there is no case or no kernel")
	case !slices.Contains(suite.Statuses(), l.Status):
		d.flaw("no result: %q is no verdict", l.Status)
	case l.Index < 0 || l.Index >= d.run.Planned:
		d.flaw("no result of this run: index %d of %s", l.Index, printable.Count(d.run.Planned, "case"))
	case d.run.Shard != nil && !d.run.Shard.Has(l.Index):
		d.flaw("no result of shard %d of %d: index %d", d.run.Shard.Index, d.run.Shard.Of, l.Index)
	case d.taken[l.Index]:
		d.flaw("a second result of index %d", l.Index)
	case d.cases[l.Case]:
		d.flaw("a second result of %s", l.Case)
	case implausible(l.Result) != "":
		d.flaw("no result: %s", implausible(l.Result))
	default:
		d.taken[l.Index], d.cases[l.Case] = true, true
		d.run.Results = append(d.run.Results, l.Result)
		d.run.indices = append(d.run.indices, l.Index)
	}
}

// implausible says what no run writes of a case, "" if it may have: figures that no case has, or a verdict that is not
// what the rest of the line says.
func implausible(r suite.Result) string {
	if r.Elements < 0 || r.Open < 0 || r.NS < 0 || r.CostNS < 0 || r.Distinct < 0 || r.ErrorRatio < 0 {
		return "a number is below 0"
	}
	if r.Status != suite.Pass {
		return ""
	}
	worst := r.ErrorRatio
	for _, o := range r.Outputs {
		ratio, _ := o.Metrics.Find(metrics.ErrorRatio)
		worst = max(worst, ratio.Value)
	}
	switch {
	case worst > 1:
		return fmt.Sprintf("%s passes with an error of %s of its bound", r.Case, Figure(finite(worst)))
	case len(r.Failures) > 0:
		return fmt.Sprintf("%s passes with %s", r.Case, printable.Count(len(r.Failures), "failure"))
	case r.Reason != "" || r.Uncompiled != "" || r.Panicked || r.Hung:
		return r.Case + " passes with a reason why it was not judged"
	}
	return ""
}

// mostName is what no name of a run comes near to, in bytes: those of sources are cut at 1,024.
const mostName = 8192

// longest is the length of the longest name of a result.
func longest(r suite.Result) int {
	n := max(len(r.Case), len(r.Kernel), len(r.Family), len(r.Backend), len(r.Math), len(r.Digest))
	for _, o := range r.Outputs {
		n = max(n, len(o.Output))
	}
	return n
}

// spelt spells out what a name has beside harmless characters. No run writes such names, and none is more than a line
// or colours a terminal.
func spelt(r *suite.Result) {
	for _, name := range []*string{&r.Case, &r.Kernel, &r.Family, &r.Backend, &r.Math, &r.Digest} {
		*name = printable.Line(*name)
	}
}

// anyLine is what a line after the header may be: a case, or that a run begins or ends.
type anyLine struct {
	line
	Schema string
	Ended  *int
}

// decode reads a line in the version of the file. A case without an index has -1.
func (d *reading) decode(text []byte) (l anyLine, err error) {
	l.Index = -1
	if err = json.Unmarshal(text, &l); d.version > 1 || l.Schema != "" || l.Ended != nil {
		return l, err
	}
	var broken *json.SyntaxError
	if errors.As(err, &broken) {
		return l, err
	}
	l.line, err = decodeLineV1(text)
	return l, err
}

// ending takes in the last line.
func (d *reading) ending(text []byte) {
	e, err := decodeEnding(text)
	if err != nil {
		d.flaw("damaged: %s", syntax(err))
		return
	}
	d.run.Ending = &e
	if n := len(d.run.Results); n != e.Ended {
		d.flaw("the run ended with %s, and the file has %d", printable.Count(e.Ended, "case"), n)
	}
}

// syntax says what is wrong with JSON.
func syntax(err error) string {
	var s *json.SyntaxError
	if errors.As(err, &s) {
		return fmt.Sprintf("no JSON: %v, at byte %d", err, s.Offset)
	}
	var t *json.UnmarshalTypeError
	switch {
	case errors.As(err, &t) && t.Field != "":
		field := t.Field
		for _, part := range []string{"line.", "Result.", "Header."} { // of ours, not of the text
			field = strings.TrimPrefix(field, part)
		}
		return fmt.Sprintf("%s is of the type %s", field, t.Value)
	case t != nil:
		return fmt.Sprintf("the type is %s, want object", t.Value)
	}
	return err.Error()
}
