package main

import (
	"path/filepath"
	"testing"
)

// TestServedSite reads results for their pages, with what has changed since others.
func TestServedSite(t *testing.T) {
	report := filepath.Join("..", "..", "reports", "testdata", "report.json")
	site, err := openFlags{baseline: []string{report}}.site([]string{report})
	if err != nil {
		t.Fatal(err)
	}
	if len(site.View.Results) == 0 || site.View.Against == nil || len(site.Figures) == 0 {
		t.Errorf("%d results, compared: %t, %d figures", len(site.View.Results), site.View.Against != nil,
			len(site.Figures))
	}
	if _, err := (openFlags{}).site([]string{filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("no error of results that there are not")
	}
}
