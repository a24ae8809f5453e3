package reports

import "fmt"

// Flaw is a line of a file that is not sound, or with line 0 something about the
// whole of it.
type Flaw struct {
	File    string
	Line    int // from 1 on
	Message string
	Open    bool // it may still come: cases of a run that has not ended
}

func (f Flaw) Error() string {
	switch {
	case f.File == "":
		return f.Message
	case f.Line == 0:
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
}
