// Command faults plants faults in copies of the Metal runner, one in each, and has the
// double's tests judge them: all have to fail.
//
//	METAL_DOUBLE_LIBRARY=… go run ./metalrun/metal/fake/faults [-run REGEXP] [-timeout 20m]
//
// One program is built, of the tests and all copies; METAL_FAULT has the number of the
// copy that the tests open. The exit status is 1 if a fault survives, 3 if one could not
// be tried.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"time"
)

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
	chosen := []fault{{}} // the first copy has none
	for _, f := range faults {
		if pattern.MatchString(f.String()) {
			chosen = append(chosen, f)
		}
	}
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	program, err := build(ctx, dir, chosen)
	if err != nil {
		return 0, err
	}
	if dies, err := try(ctx, program, 0); err != nil || dies {
		return 0, errors.Join(err, errors.New("the double's tests fail without a fault"))
	}
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for i, f := range chosen[1:] {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			dies, e := try(ctx, program, i+1)
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
		fmt.Printf("%d of %d faults die\n", len(chosen)-1-survived, len(chosen)-1)
	}
	return survived, err
}

// try has the tests judge one copy, and reports whether they fail.
func try(ctx context.Context, program string, copy int) (dies bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute) // a runner that hangs has failed
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-test.count=1", "-test.failfast")
	cmd.Dir = filepath.FromSlash(target)
	cmd.Env = append(os.Environ(), "GOTRACEBACK=none", "METAL_FAULT="+strconv.Itoa(copy))
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
