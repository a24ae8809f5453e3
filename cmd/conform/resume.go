package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/reports"
	"metalconform/suite"
)

// resultsName is the file of a run in its directory.
const resultsName = "results.jsonl"

// resultsFile is where results called name are: a file, or what a directory has of a run that
// is whole, or else of one that is not.
func resultsFile(name string) string {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return name
	}
	file := filepath.Join(name, resultsName)
	if _, err := os.Lstat(file); err == nil {
		return file
	}
	if _, err := os.Lstat(partial(file)); err == nil {
		return partial(file)
	}
	return file
}

// openResults opens results called name. A directory may come from a run of somebody else: what it has is its own.
func openResults(name string) (*os.File, error) {
	if file := resultsFile(name); file != name {
		return regular.OpenIn(name, filepath.Base(file), regular.Results)
	}
	return regular.Open(name, regular.Results)
}

// resume is the file that the run goes on with, and what has been judged of the cases. A run
// that is whole is not judged again, and nothing is written.
func (f runFlags) resume(header reports.Header, cases []suite.Case, indices []int) (output, []suite.Result, error) {
	file, err := claimIn(f.out, resultsName)
	if err != nil {
		return nil, nil, err
	}
	run, err := readWhole(filepath.Join(f.out, resultsName))
	if err == nil {
		file.Close()
		os.Remove(file.Name())
		done, err := resumed(run, header, cases, indices)
		if err == nil && len(done) < len(cases) {
			err = exit.Usagef("-resume: %s is not whole, and has its name: run again without -resume", file.name)
		}
		return nowhere{}, done, err
	}
	if !errors.Is(err, os.ErrNotExist) {
		file.Close()
		return nil, nil, exit.Usagef("-resume: %v", err)
	}
	done, err := file.resume(header, cases, indices)
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, done, nil
}

// readWhole reads a file of results that has its name.
func readWhole(name string) (reports.Run, error) {
	file, err := regular.Open(name, regular.Results)
	if err != nil {
		return reports.Run{}, err
	}
	defer file.Close()
	run, _, err := reports.Read(file, name)
	return run, err
}

// resume reads what there is, and takes away a line that a killed process did not finish.
func (c *claimed) resume(header reports.Header, cases []suite.Case, indices []int) ([]suite.Result, error) {
	info, err := c.Stat()
	if err != nil {
		return nil, exit.Usagef("-resume: %v", err)
	}
	end, err := lastLine(c, info.Size())
	if err != nil {
		return nil, exit.Usagef("-resume: %s: %w", c.Name(), err)
	}
	var done []suite.Result
	if end > 0 {
		run, _, err := reports.Read(io.NewSectionReader(c, 0, end), c.Name())
		if err != nil {
			return nil, exit.Usagef("-resume: %v", err)
		}
		if done, err = resumed(run, header, cases, indices); err != nil {
			return nil, err
		}
		if run.Ending != nil { // killed before the file had its name: the ending is written again
			if end, err = lastLine(c, end-1); err != nil {
				return nil, exit.Usagef("-resume: %s: %w", c.Name(), err)
			}
		}
	}
	if len(done) == 0 {
		end = 0 // the header is written again
	}
	if err := c.Truncate(end); err != nil {
		return nil, exit.Usagef("-resume: %v", err)
	}
	_, err = c.Seek(end, io.SeekStart)
	return done, err
}

// lastLine is where the last line that has its end ends, of so many bytes of a file.
func lastLine(file *claimed, size int64) (int64, error) {
	block := make([]byte, 64<<10)
	for end := size; end > 0; {
		begin := max(0, end-int64(len(block)))
		part := block[:end-begin]
		if _, err := file.ReadAt(part, begin); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return begin + int64(i) + 1, nil
		}
		end = begin
	}
	return 0, nil
}

// resumed are the results of a run that broke off, if it was this one: those of the first
// cases.
func resumed(run reports.Run, header reports.Header, cases []suite.Case, indices []int) ([]suite.Result, error) {
	if len(run.Flaws) > 0 {
		return nil, exit.Usagef("-resume: %w\n(run again without -resume)", flawed(run.Flaws))
	}
	if err := reports.Same(run.Header, header); err != nil {
		return nil, exit.Usagef("-resume: this is another run: %w\n(run again without -resume)", err)
	}
	for i, r := range run.Results {
		if i >= len(cases) || r.Case != cases[i].Name || run.Index(i) != indices[i] {
			return nil, exit.Usagef("-resume: %s is not the next case of this run (run again without -resume)", r.Case)
		}
	}
	return run.Results, nil
}
