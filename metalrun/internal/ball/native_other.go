//go:build !amd64

package ball

// Native is the fastest rows that this processor can run.
func Native() *Rows { return Portable }
