package session

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"metalconform/internal/exit"
	"metalconform/reports"
	"metalconform/suite"
)

// Resume is the file in a directory that the run goes on with, and what has been judged of the cases. A run
// that is whole is not judged again, and nothing is written.
func Resume(dir string, header reports.Header, cases []suite.Case, indices []int) (Output, []suite.Result, error) {
	file, err := claimIn(dir, ResultsName)
	if err != nil {
		return nil, nil, err
	}
	run, err := ReadWhole(filepath.Join(dir, ResultsName))
	if err == nil {
		file.Close()
		os.Remove(file.Name())
		done, err := resumed(run, header, cases, indices)
		if err == nil && len(done) < len(cases) {
			err = exit.Usagef("-resume: %s is not whole, and has its name: run again without -resume", file.name)
		}
		return Discard{}, done, err
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

// resume reads what there is, and takes away a line that a killed process did not finish.
func (c *claimedFile) resume(header reports.Header, cases []suite.Case, indices []int) ([]suite.Result, error) {
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
func lastLine(file *claimedFile, size int64) (int64, error) {
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
		return nil, exit.Usagef("-resume: %w\n(run again without -resume)", FlawsError(run.Flaws))
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
