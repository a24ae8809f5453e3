package session

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/reports"

	"github.com/spf13/pflag"
)

// ReadRun reads and joins files of results. Unless partial is set a flaw in one of
// them is an error.
func ReadRun(names []string, partial bool, room *reports.Room) (reports.Run, error) {
	var files []reports.Run
	var lost []reports.Flaw // of files of which nothing is left
	for _, name := range names {
		run, ok, err := readFile(name, room)
		if err != nil {
			return run, exit.Usagef("%v", err)
		}
		if !ok {
			lost = append(lost, run.Flaws...)
			continue
		}
		files = append(files, run)
	}
	if len(files) == 0 {
		return reports.Run{}, exit.With(exit.Usage, FlawsError(lost))
	}
	run, err := reports.Merge(files)
	if err != nil {
		return run, exit.Usagef("%v", err)
	}
	run.Flaws = append(lost, run.Flaws...)
	if len(run.Flaws) > 0 && !partial {
		return run, exit.Usagef("%w\n(-partial shows what is sound)", FlawsError(run.Flaws))
	}
	return run, nil
}

// readFile reads a file of results, or the one in a directory.
func readFile(name string, room *reports.Room) (run reports.Run, ok bool, err error) {
	file, err := openResults(name)
	if errors.Is(err, os.ErrNotExist) {
		file, err = openResults(name) // a run may have ended meanwhile
	}
	if err != nil {
		return run, false, err
	}
	defer file.Close()
	return room.Read(file, file.Name())
}

// FlawsError is the error of results that are not whole: the first flaws.
func FlawsError(flaws []reports.Flaw) error {
	const most = 5
	var errs []error
	for i, f := range flaws {
		if i == most {
			errs = append(errs, fmt.Errorf("and %d more", len(flaws)-i))
			break
		}
		errs = append(errs, f)
	}
	return errors.Join(errs...)
}

// ResultsName is the file of a run in its directory.
const ResultsName = "results.jsonl"

// ResultsFile is where results called name are: a file, or what a directory has of a run that
// is whole, or else of one that is not.
func ResultsFile(name string) string {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return name
	}
	file := filepath.Join(name, ResultsName)
	if _, err := os.Lstat(file); err == nil {
		return file
	}
	if _, err := os.Lstat(PartialName(file)); err == nil {
		return PartialName(file)
	}
	return file
}

// openResults opens results called name. A directory may come from a run of somebody else: what it has is its own.
func openResults(name string) (*os.File, error) {
	if file := ResultsFile(name); file != name {
		return regular.OpenIn(name, filepath.Base(file), regular.Results)
	}
	return regular.Open(name, regular.Results)
}

// ReadWhole reads a file of results that has its name.
func ReadWhole(name string) (reports.Run, error) {
	file, err := regular.Open(name, regular.Results)
	if err != nil {
		return reports.Run{}, err
	}
	defer file.Close()
	run, _, err := reports.Read(file, name)
	return run, err
}

// ResultsMemory is a flag that bounds what results may take of this machine.
type ResultsMemory struct{ mib int }

// Add defines the flag.
func (m *ResultsMemory) Add(flags *pflag.FlagSet) {
	flags.IntVar(&m.mib, "results-memory", reports.DefaultRoom,
		"refuse results that take more than about `MIB` mebibytes of memory")
}

// Room is for results that are read together.
func (m ResultsMemory) Room() *reports.Room {
	return reports.NewRoom(cmp.Or(m.mib, reports.DefaultRoom))
}
