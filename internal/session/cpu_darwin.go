package session

import "syscall"

// cpus are the names of the processors, none where the kernel does not tell.
func cpus() []string {
	name, err := syscall.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return nil
	}
	return []string{name}
}
