package host

import "os"

// StopStatus is the exit status of a program that ends at its first finding.
const StopStatus = 86

// stop ends the process.
func stop() { os.Exit(StopStatus) }
