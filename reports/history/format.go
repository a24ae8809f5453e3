package history

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"metalconform/internal/regular"
	"metalconform/reports/trend"
	"metalconform/suite"
)

// What a file may have. A night of the full sweep has 57,642 cases, 100 kernels, 60 kB compressed and 500 kB of text.
const (
	suffix  = ".jsonl.gz"
	schema  = "conform.history"
	version = 1

	mostFile  = 32 << 20 // bytes, compressed
	mostText  = 64 << 20 // bytes
	mostLine  = 8 << 20  // bytes
	mostCases = 1 << 20
)

// header is the first line of a file.
type header struct {
	Schema  string    `json:"schema"`
	Version int       `json:"version"`
	Key     trend.Key `json:"key"`
	Seed    uint64    `json:"seed"`
	Conform string    `json:"conform"`
	Exact   bool      `json:"exact"`
	Gated   bool      `json:"gated"`
	Bench   string    `json:"bench,omitempty"`
	Machine string    `json:"machine,omitempty"`
	Cases   int       `json:"cases"`
	Failing int       `json:"failing"`
	Digest  string    `json:"digest"`
}

// night is a header without results.
func (h header) night() trend.Night {
	return trend.Night{
		ID: identify(h.Key), Key: h.Key, Seed: h.Seed, Exact: h.Exact, Gated: h.Gated,
		Bench: h.Bench, Machine: h.Machine, Cases: h.Cases, Failing: h.Failing,
	}
}

// casesLine names the cases of a kernel: of each shape, the first part of the names and which list of inputs it has.
type casesLine struct {
	Kernel string     `json:"kernel"`
	Family string     `json:"family"`
	Inputs [][]string `json:"inputs"`
	Shapes []string   `json:"shapes"`
	Lists  []int      `json:"lists"` // of each shape, an index of Inputs
}

// resultsLine is what was measured of a kernel; see [trend.Kernel]. Cases are named by number.
type resultsLine struct {
	Results      string                 `json:"results"` // the kernel
	NotPassed    map[suite.Status][]int `json:"not_passed,omitempty"`
	Error        []float32              `json:"error,omitempty"`
	Bias         []float32              `json:"bias,omitempty"`
	Inward       []float32              `json:"inward,omitempty"`
	Time         []float32              `json:"ns,omitempty"`
	TypicalError float32                `json:"typical_error"`
	TypicalNS    int64                  `json:"typical_ns"`
	Timed        []timedLine            `json:"timed,omitempty"`
}

type timedLine struct {
	Case    int     `json:"case"`
	Seconds float64 `json:"seconds"`
	Samples int     `json:"samples"`
}

// encode returns the bytes of a run's file. The same run has the same bytes, as long as Go's compressor is the same.
func encode(r Run) ([]byte, error) {
	var b bytes.Buffer
	zip, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	lines := json.NewEncoder(zip)
	lines.SetEscapeHTML(false)
	err = lines.Encode(header{
		schema, version, r.Key, r.Seed, r.Conform, r.Exact, r.Gated, r.Bench, r.Machine, r.Cases, r.Failing, r.Digest,
	})
	for i := range r.Kernels {
		if err == nil {
			err = lines.Encode(newCasesLine(r.Kernels[i].Sweep))
		}
		if err == nil {
			err = lines.Encode(newResultsLine(&r.Kernels[i]))
		}
	}
	err = errors.Join(err, zip.Close())
	return b.Bytes(), err
}

func newCasesLine(s *trend.Sweep) casesLine {
	l := casesLine{Kernel: s.Kernel, Family: s.Family}
	index := map[string]int{}
	for _, shape := range s.Shapes {
		key := strings.Join(shape.Inputs, "\n")
		at, ok := index[key]
		if !ok {
			at = len(l.Inputs)
			index[key] = at
			l.Inputs = append(l.Inputs, shape.Inputs)
		}
		l.Shapes, l.Lists = append(l.Shapes, shape.Prefix), append(l.Lists, at)
	}
	return l
}

func newResultsLine(k *trend.Kernel) resultsLine {
	l := resultsLine{
		Results: k.Kernel, Error: known(k.Error), Bias: known(k.Bias), Inward: known(k.Inward), Time: known(k.Time),
		TypicalError: k.TypicalError, TypicalNS: k.TypicalNS,
	}
	for _, v := range k.NotPassed {
		if l.NotPassed == nil {
			l.NotPassed = map[suite.Status][]int{}
		}
		l.NotPassed[v.Status] = append(l.NotPassed[v.Status], v.Case)
	}
	for _, t := range k.Timed {
		l.Timed = append(l.Timed, timedLine(t))
	}
	return l
}

// known leaves out a column that only says that nothing is known.
func known(column []float32) []float32 {
	for _, x := range column {
		if x != 0 {
			return column
		}
	}
	return nil
}

// reader reads the lines of a file.
type reader struct {
	zip   *gzip.Reader
	lines *bufio.Scanner
}

func newReader(from io.Reader) (*reader, error) {
	zip, err := gzip.NewReader(bufio.NewReader(from))
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(&io.LimitedReader{R: zip, N: mostText})
	lines.Buffer(make([]byte, 0, 64<<10), mostLine)
	return &reader{zip, lines}, nil
}

// next returns a line, and false after the last.
func (r *reader) next() ([]byte, bool, error) {
	if r.lines.Scan() {
		return r.lines.Bytes(), true, nil
	}
	err := r.lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("a line has more than %d bytes", mostLine)
	}
	if err == nil { // at the end, or at the limit
		var one [1]byte
		if n, _ := r.zip.Read(one[:]); n > 0 {
			err = fmt.Errorf("more than %d bytes of text", mostText)
		}
	}
	return nil, false, err
}

// header reads the first line.
func (r *reader) header() (h header, err error) {
	line, ok, err := r.next()
	switch {
	case err != nil:
		return h, err
	case !ok:
		return h, io.ErrUnexpectedEOF
	}
	var which struct {
		Schema  string `json:"schema"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(line, &which); err != nil {
		return h, err
	}
	switch {
	case which.Schema != schema:
		return h, fmt.Errorf("the schema is %.40q, want %q", which.Schema, schema)
	case which.Version > version:
		return h, &laterError{which.Version}
	}
	err = regular.KnownJSON(line, &h)
	h.Key.Started = h.Key.Started.UTC()
	return h, err
}

// laterError is that of a file that a later program wrote.
type laterError struct{ version int }

func (e *laterError) Error() string {
	return fmt.Sprintf("version %d of a history, and this program knows up to %d: use the conform that wrote it, "+
		"or a later one", e.version, version)
}

// sweep reads a line of cases.
func sweep(line []byte) (*trend.Sweep, error) {
	var l casesLine
	if err := regular.KnownJSON(line, &l); err != nil {
		return nil, err
	}
	if len(l.Lists) != len(l.Shapes) {
		return nil, fmt.Errorf("%d shapes have %d lists of inputs", len(l.Shapes), len(l.Lists))
	}
	s := &trend.Sweep{Kernel: l.Kernel, Family: l.Family, Shapes: make([]trend.Shape, len(l.Shapes))}
	cases := 0
	for i, prefix := range l.Shapes {
		if l.Lists[i] < 0 || l.Lists[i] >= len(l.Inputs) {
			return nil, fmt.Errorf("there is no list %d of inputs", l.Lists[i])
		}
		inputs := l.Inputs[l.Lists[i]]
		s.Shapes[i] = trend.Shape{Prefix: prefix, Inputs: inputs, First: cases}
		if cases += len(inputs); cases > mostCases {
			return nil, fmt.Errorf("more than %d cases", mostCases)
		}
	}
	return s, nil
}

// results reads a line of results.
func results(line []byte, s *trend.Sweep) (k trend.Kernel, err error) {
	var l resultsLine
	if err := regular.KnownJSON(line, &l); err != nil {
		return k, err
	}
	k = trend.Kernel{
		Sweep: s, Error: l.Error, Bias: l.Bias, Inward: l.Inward, Time: l.Time,
		TypicalError: l.TypicalError, TypicalNS: l.TypicalNS,
	}
	if l.Results != s.Kernel {
		return k, fmt.Errorf("results of %.100q after the cases of %.100q", l.Results, s.Kernel)
	}
	for _, column := range [][]float32{l.Error, l.Bias, l.Inward, l.Time} {
		if err := checkColumn(column, len(s.Shapes)); err != nil {
			return k, err
		}
	}
	if len(l.Bias) != len(l.Error) || len(l.Inward) != len(l.Error) {
		// Kernels without any bias have no column of it.
		for _, column := range []*[]float32{&k.Bias, &k.Inward} {
			if len(*column) == 0 {
				*column = make([]float32, len(l.Error))
			}
		}
	}
	if err := addNotPassed(&k, l.NotPassed); err != nil {
		return k, err
	}
	return k, addTimed(&k, l.Timed)
}

// checkColumn refuses numbers that no run has.
func checkColumn(column []float32, shapes int) error {
	if len(column) != 0 && len(column) != shapes {
		return fmt.Errorf("%d numbers for %d shapes", len(column), shapes)
	}
	for _, x := range column {
		if x < 0 {
			return fmt.Errorf("%g is below 0", x)
		}
	}
	return nil
}

// addNotPassed takes in the verdicts, and puts them in order of the cases.
func addNotPassed(k *trend.Kernel, of map[suite.Status][]int) error {
	verdicts := map[int]suite.Status{}
	for _, status := range []suite.Status{suite.Fail, suite.Error, suite.Skip} {
		for _, c := range of[status] {
			if _, twice := verdicts[c]; twice || c < 0 || c >= k.Cases() {
				return fmt.Errorf("case %d of %d has two verdicts, or is none", c, k.Cases())
			}
			verdicts[c] = status
		}
		delete(of, status)
	}
	for status := range of {
		return fmt.Errorf("%.20q is no verdict of a case that did not pass", status)
	}
	if len(verdicts) == 0 {
		return nil
	}
	for c := range k.Cases() {
		if status, ok := verdicts[c]; ok {
			k.NotPassed = append(k.NotPassed, trend.Verdict{Case: c, Status: status})
		}
	}
	return nil
}

func addTimed(k *trend.Kernel, list []timedLine) error {
	last := -1
	for _, t := range list {
		if t.Case <= last || t.Case >= k.Cases() || !(t.Seconds > 0) || math.IsInf(t.Seconds, 0) {
			return fmt.Errorf("case %d of %d took %g s, after case %d", t.Case, k.Cases(), t.Seconds, last)
		}
		last = t.Case
		k.Timed = append(k.Timed, trend.Timed(t))
	}
	return nil
}
