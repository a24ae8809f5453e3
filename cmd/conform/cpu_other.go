//go:build !linux && !darwin

package main

// cpu is the name of the processor, which is not known here.
func cpu() string { return "" }
