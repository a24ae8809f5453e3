// Command faults plants faults in copies of the Metal runner's sources, one at a time,
// and runs the double's tests on each: all have to fail.
//
//	METAL_DOUBLE_LIBRARY=… go run ./metalrun/metal/fake/faults [-run REGEXP] [-timeout 20m]
//
// The exit status is 1 if a fault survives, 3 if one could not be tried.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
)

const target = "metalrun/metal"

func main() {
	which := flag.String("run", "", "`regexp` of the faults to plant, by file and both texts")
	limit := flag.Duration("timeout", 20*time.Minute, "give up after this long")
	flag.Parse()
	pattern, err := regexp.Compile(*which)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults: -run:", err)
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	survived, err := plant(ctx, pattern)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(3)
	}
	if survived > 0 {
		os.Exit(1)
	}
}

// plant tries the faults, as many at once as there are processors.
func plant(ctx context.Context, pattern *regexp.Regexp) (survived int, err error) {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if dies, err := (fault{}).try(ctx, filepath.Join(dir, "none")); err != nil || dies {
		return 0, errors.Join(err, errors.New("the double's tests fail without a fault"))
	}
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		tried int
		slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for i, f := range faults {
		if !pattern.MatchString(f.String()) {
			continue
		}
		tried++
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			dies, e := f.try(ctx, filepath.Join(dir, fmt.Sprint(i)))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case e != nil:
				err = errors.Join(err, fmt.Errorf("%v: %w", f, e))
			case !dies:
				survived++
				fmt.Println("survives:", f)
			}
		})
	}
	wg.Wait()
	if err == nil {
		fmt.Printf("%d of %d faults die\n", tried-survived, tried)
	}
	return survived, err
}

func (f fault) String() string { return fmt.Sprintf("%s: %q for %q", f.file, f.new, f.old) }

// try builds the tests with the fault in place, and reports whether they fail. The zero
// fault is none.
func (f fault) try(ctx context.Context, scratch string) (dies bool, err error) {
	if err := os.Mkdir(scratch, 0o777); err != nil {
		return false, err
	}
	binary := filepath.Join(scratch, "test")
	args := []string{"test", "-c", "-vet=off", "-tags", "metaldouble", "-o", binary}
	if f.file != "" {
		overlay, err := f.overlay(scratch)
		if err != nil {
			return false, err
		}
		args = append(args, "-overlay", overlay)
	}
	if out, err := exec.CommandContext(ctx, "go", append(args, "./"+target)...).CombinedOutput(); err != nil {
		return false, fmt.Errorf("does not build: %w\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute) // a runner that hangs has failed
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.count=1", "-test.failfast")
	cmd.Dir = target
	cmd.Env = append(os.Environ(), "GOTRACEBACK=none")
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false, nil
	case errors.As(err, &exit):
		return true, nil
	}
	return false, err
}

// overlay writes the file with the fault, and the file that tells go to use it.
func (f fault) overlay(scratch string) (string, error) {
	file, err := filepath.Abs(filepath.Join(filepath.FromSlash(target), f.file))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), f.old); n != 1 {
		return "", fmt.Errorf("the text stands there %d times", n)
	}
	changed := filepath.Join(scratch, f.file)
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), f.old, f.new, 1)), 0o666); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(scratch, "overlay.json")
	return path, os.WriteFile(path, overlay, 0o666)
}
