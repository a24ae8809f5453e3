package reports

import (
	"bytes"
	"encoding/json"
	"io"

	"metalconform/suite"
)

// Log writes results.jsonl: a header, a line per case as the run goes, and an
// ending. Each line is handed to the writer whole and at once, so that a run that
// is killed keeps all it had.
type Log struct{ w io.Writer }

// NewLog is a log on w, which should not buffer. For io.Discard nothing is encoded.
func NewLog(w io.Writer) *Log { return &Log{w} }

// Begin writes the header.
func (l *Log) Begin(h Header) error {
	h.Schema, h.Version = Schema, Version
	return l.line(h)
}

// Write appends the result of the case of that index in the run.
func (l *Log) Write(index int, r suite.Result) error { return l.line(line{r, index}) }

// End writes the ending.
func (l *Log) End(e Ending) error { return l.line(e) }

func (l *Log) line(v any) error {
	if l.w == io.Discard {
		return nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	_, err := l.w.Write(text.Bytes())
	return err
}

// JSON writes a run as results.jsonl, as if a single process had judged it.
func JSON(w io.Writer, r Run) error {
	log := NewLog(w)
	if err := log.Begin(r.Header); err != nil {
		return err
	}
	for i, result := range r.Results {
		if err := log.Write(r.indices[i], result); err != nil {
			return err
		}
	}
	if r.Ending == nil {
		return nil
	}
	return log.End(*r.Ending)
}

// jsonFormat writes the run of a view with its verdict.
func jsonFormat(w io.Writer, v View) error {
	if v.Ending != nil {
		v.Ending = v.Concluded()
	}
	return JSON(w, v.Run)
}

// Concluded is the ending of the run with its verdict.
func (v View) Concluded() *Ending {
	ending, verdict := *v.Ending, v.Verdict()
	ending.Verdict, ending.Reason = verdict.Outcome, verdict.Reason
	return &ending
}

// line is one of the lines after the header: a case with its index among all
// cases of the run, or the ending.
type line struct {
	suite.Result
	Index int `json:"index"`
}
