//go:build !unix

package cputime

import "time"

var start = time.Now()

// Process is wall time where the system does not tell how much of it the process has used.
func Process() time.Duration { return time.Since(start) }
