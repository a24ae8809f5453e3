package session

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// ScratchPrefix is how directories begin that only live as long as a process.
const ScratchPrefix = "conform-scratch-"

// NewScratch makes a directory that is locked until it is removed, and removes those that killed
// processes have left: nobody holds their locks.
func NewScratch() (dir string, remove func(), err error) {
	stale, _ := filepath.Glob(filepath.Join(os.TempDir(), ScratchPrefix+"*"))
	for _, old := range stale {
		if lock := lockDirectory(old); lock != nil {
			os.RemoveAll(old)
			lock.Close()
		}
	}
	for {
		dir, err := os.MkdirTemp("", ScratchPrefix)
		if err != nil {
			return "", nil, err
		}
		lock, err := os.Open(dir)
		if err == nil {
			err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		}
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			continue // another process has taken it for stale before it was locked
		}
		if !samePlace(lock, dir) {
			lock.Close()
			continue
		}
		return dir, func() { os.RemoveAll(dir); lock.Close() }, nil
	}
}

// lockDirectory is the lock of a directory of this user's that nobody holds, or nil.
func lockDirectory(dir string) *os.File {
	file, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	info, err := file.Stat()
	if err == nil {
		if owner, known := info.Sys().(*syscall.Stat_t); !known || int(owner.Uid) != os.Getuid() {
			err = os.ErrPermission
		}
	}
	if err == nil {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil || !samePlace(file, dir) {
		file.Close()
		return nil
	}
	return file
}

// samePlace reports whether an open directory still has its name.
func samePlace(file *os.File, name string) bool {
	a, err := file.Stat()
	b, other := os.Lstat(name)
	return err == nil && other == nil && os.SameFile(a, b)
}
