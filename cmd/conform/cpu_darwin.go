package main

import "syscall"

// cpu is the name of the processor, or "" where the kernel does not tell.
func cpu() string {
	name, err := syscall.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return ""
	}
	return name
}
