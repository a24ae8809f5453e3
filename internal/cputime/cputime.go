// Package cputime limits work by the CPU time that this process has used.
//
// A limit in wall time gives another answer on a busy machine: ten runs at once on two cores reach it with a fifth of
// their work done. CPU time does not pass while a process waits for a core. It passes as often as cores work for the
// process, so that a limit is the same amount of work however many there are.
//
// The rule of the layer: it imports the standard library alone, and clocks are handed in, so that tests have their
// own.
package cputime

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// A Clock is how much time has passed since some moment.
type Clock func() time.Duration

// Spent is the cause of the end of a context whose limit has passed.
type Spent struct{ Limit time.Duration }

func (s *Spent) Error() string { return fmt.Sprintf("%v of CPU time are used up", s.Limit) }

// WithLimit is a context that ends when a limit has passed on a clock, with the cause [Spent]. A limit that is shorter
// than the clock is looked at ends it at once.
func WithLimit(ctx context.Context, limit time.Duration, clock Clock) (context.Context, context.CancelFunc) {
	begin := clock()
	limited, end := context.WithCancelCause(ctx)
	if limit < least {
		end(&Spent{limit})
	}
	go func() {
		for {
			left := limit - (clock() - begin)
			if left <= 0 {
				end(&Spent{limit})
				return
			}
			select {
			case <-limited.Done():
				return
			case <-time.After(next(left)):
			}
		}
	}()
	return limited, func() { end(context.Canceled) }
}

// least is the shortest time from one look at the clock to the next.
const least = time.Millisecond

// next is when to look at the clock again: all cores may work for the process.
func next(left time.Duration) time.Duration {
	return max(left/time.Duration(runtime.NumCPU()), least)
}
