package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Report is a report to be written.
type Report struct {
	Format string
	File   string // empty for standard output
}

// ReportFlag is -report, which every command has that writes reports: FORMAT, or FORMAT=FILE.
type ReportFlag struct {
	Formats []string // that the command writes
	Folders []string // of these, the formats that are directories of files
	Given   []Report
}

// Add defines the flag.
func (r *ReportFlag) Add(flags *pflag.FlagSet) {
	usage := "write `FORMAT[=FILE]` with one of " + strings.Join(r.Formats, ", ") +
		"; to standard output without a file; repeatable"
	if len(r.Folders) > 0 {
		usage += "; for " + strings.Join(r.Folders, ", ") + " the file is a directory"
	}
	flags.Var(r, "report", usage)
}

func (r *ReportFlag) String() string {
	var list []string
	for _, x := range r.Given {
		list = append(list, strings.TrimSuffix(x.Format+"="+x.File, "="))
	}
	return strings.Join(list, " ")
}

// Type names the value in help.
func (*ReportFlag) Type() string { return "report" }

// Set adds one report.
func (r *ReportFlag) Set(s string) error {
	format, file, named := strings.Cut(s, "=")
	if file == "-" {
		file = ""
	} else if named && file == "" {
		return fmt.Errorf("want a file after %s=, or %s alone for standard output", format, format)
	}
	switch {
	case !slices.Contains(r.Formats, format):
		return fmt.Errorf("want FORMAT or FORMAT=FILE with one of %s", strings.Join(r.Formats, ", "))
	case file == "" && slices.Contains(r.Folders, format):
		return fmt.Errorf("want a directory: %s=DIR", format)
	case slices.ContainsFunc(r.Given, func(g Report) bool { return g.File == file }) && file == "":
		return fmt.Errorf("one report can go to standard output: name a file for the others")
	case slices.ContainsFunc(r.Given, func(g Report) bool { return g.File == file }):
		return fmt.Errorf("%s is written twice", file)
	}
	r.Given = append(r.Given, Report{format, file})
	return nil
}

// OrText are the reports to be written: text on standard output if none is given.
func (r *ReportFlag) OrText() []Report {
	if len(r.Given) == 0 {
		return []Report{{Format: "text"}}
	}
	return r.Given
}

// Find is the file of a format, and whether such a report is to be written.
func (r *ReportFlag) Find(format string) (file string, given bool) {
	i := slices.IndexFunc(r.Given, func(g Report) bool { return g.Format == format })
	if i < 0 {
		return "", false
	}
	return r.Given[i].File, true
}
