package main

import "golang.org/x/sys/unix"

// cpu is the name of the processor, or "" where the kernel does not tell.
func cpu() string {
	name, err := unix.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return ""
	}
	return name
}
