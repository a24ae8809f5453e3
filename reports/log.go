package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"metalconform/suite"
)

// Log writes results as JSON lines. Each line is handed to the writer whole
// and at once, so that a run that is killed keeps all it had.
type Log struct{ w io.Writer }

// NewLog is a log on w, which should not buffer.
func NewLog(w io.Writer) *Log { return &Log{w} }

// Write appends one result.
func (l *Log) Write(r suite.Result) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		return err
	}
	_, err := l.w.Write(line.Bytes())
	return err
}

// ReadLog reads what a Log wrote. A last line that a killed run left
// unfinished is dropped; any other line that is no result is an error that
// names its number.
func ReadLog(r io.Reader) ([]suite.Result, error) {
	var results []suite.Result
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return results, err
		}
		finished := err == nil
		if !finished && len(line) == 0 {
			return results, nil
		}
		var result suite.Result
		switch err := json.Unmarshal(line, &result); {
		case err != nil && !finished:
			return results, nil
		case err != nil:
			return results, fmt.Errorf("line %d: %w", n, err)
		case result.Case == "" || result.Status == "":
			return results, fmt.Errorf("line %d: not a result: it has no case or no status", n)
		}
		results = append(results, result)
	}
}
