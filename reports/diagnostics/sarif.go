package diagnostics

import (
	"net/url"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// The part of SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0) that is used.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     Severity        `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		ID       *int          `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifMessage `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// keep remembers the texts that the positions of a diagnostic refer to.
func (d documents) keep(x Diagnostic, source func(string) (string, bool)) {
	d.of(x.File, source)
	for _, n := range x.Notes {
		d.of(n.File, source)
	}
}

// column counts characters, as SARIF can and we do not.
func (d documents) column(at metalrun.Position) int {
	text := d[at.File]
	line, start, ok := text.line(at.Line)
	if !ok || at.Col-1 > len(line) {
		return max(at.Col, 1)
	}
	return 1 + text.characters(start+max(at.Col-1, 0)) - text.characters(start)
}

func (w *Writer) sarif() sarifLog {
	var rules []sarifRule
	results := make([]sarifResult, 0, len(w.held))
	for _, d := range w.held {
		index := slices.Index(rules, sarifRule{d.Code})
		if index < 0 {
			index = len(rules)
			rules = append(rules, sarifRule{d.Code})
		}
		text := d.Message
		if d.Detail != "" {
			text += "\n" + d.Detail
		}
		r := sarifResult{RuleID: d.Code, RuleIndex: index, Level: d.Severity, Message: sarifMessage{text}}
		if d.Line > 0 {
			at := w.location(d.Position)
			if end := d.Range.End; end.Line > 0 {
				at.Physical.Region.EndLine, at.Physical.Region.EndColumn = end.Line,
					w.lines.column(metalrun.Position{File: d.File, Line: end.Line, Col: end.Col})
			}
			r.Locations = []sarifLocation{at}
		}
		for i, n := range d.Notes {
			if n.Line > 0 {
				at := w.location(n.Position)
				at.ID, at.Message = &i, &sarifMessage{n.Message}
				r.Related = append(r.Related, at)
			}
		}
		results = append(results, r)
	}
	if rules == nil {
		rules = []sarifRule{}
	}
	driver := sarifDriver{Name: "conform", Version: w.style.Tool, Rules: rules}
	return sarifLog{Schema: sarifSchema, Version: "2.1.0",
		Runs: []sarifRun{{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: results}}}
}

// location is a position of one character.
func (w *Writer) location(at metalrun.Position) sarifLocation {
	path := (&url.URL{Path: strings.TrimPrefix(at.File, "./")}).String()
	return sarifLocation{Physical: sarifPhysical{
		Artifact: sarifArtifact{strings.TrimPrefix(path, "./")},
		Region:   sarifRegion{StartLine: at.Line, StartColumn: w.lines.column(at)},
	}}
}
