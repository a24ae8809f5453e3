// Package exit has the statuses that the command ends with, and the errors that carry one of them.
//
// An error that carries no status is a mistake on the command line. Who finds an error decides its status; nobody
// between there and the command changes it.
package exit

import "fmt"

// Statuses of the command.
const (
	Conforms = 0
	Fails    = 1 // a kernel fails, or a file does not compile
	Usage    = 2 // the command line, or a file named on it
	Device   = 3 // no such device, or not all could be judged
)

// Error ends the command with a status. Err is nil if the command has printed everything there is to say.
type Error struct {
	Status int
	Err    error
}

func (e *Error) Error() string { return fmt.Sprint(e.Err) }

// Unwrap is the error without its status.
func (e *Error) Unwrap() error { return e.Err }

// With is an error that ends the command with a status.
func With(status int, err error) *Error { return &Error{status, err} }

// Silently ends the command with a status and prints nothing more.
func Silently(status int) *Error { return &Error{Status: status} }

// Usagef is a mistake on the command line, or in a file named on it.
func Usagef(format string, args ...any) error { return With(Usage, fmt.Errorf(format, args...)) }
