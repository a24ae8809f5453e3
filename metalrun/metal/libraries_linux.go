//go:build metaldouble

package metal

import "os"

// libraries is the double of Metal, which command build in fake makes.
func libraries() []string { return []string{os.Getenv("METAL_DOUBLE_LIBRARY")} }
