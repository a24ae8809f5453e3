package cputime

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// TestWithLimit ends a context when its clock says so, whatever happens on the wall.
func TestWithLimit(t *testing.T) {
	var now atomic.Int64
	now.Store(int64(time.Hour)) // used before
	looked := make(chan bool, 1)
	clock := func() time.Duration {
		select {
		case looked <- true:
		default:
		}
		return time.Duration(now.Load())
	}
	ctx, stop := WithLimit(context.Background(), 20*time.Millisecond, clock)
	defer stop()
	for range 4 { // however often it looks
		<-looked
		if ctx.Err() != nil {
			t.Fatal("the context ends although no time has passed on its clock")
		}
	}
	now.Add(int64(20 * time.Millisecond))
	<-ctx.Done()
	var spent *Spent
	if !errors.As(context.Cause(ctx), &spent) || spent.Limit != 20*time.Millisecond {
		t.Errorf("the cause is %v", context.Cause(ctx))
	}
}

// TestStopped tells a context that is stopped from one whose limit has passed.
func TestStopped(t *testing.T) {
	ctx, stop := WithLimit(context.Background(), time.Hour, Process)
	stop()
	<-ctx.Done()
	var spent *Spent
	if errors.As(context.Cause(ctx), &spent) {
		t.Errorf("the cause is %v", spent)
	}
}

// TestProcess: CPU time passes while the process works.
func TestProcess(t *testing.T) {
	begin, x := Process(), uint64(1)
	for Process() == begin {
		for range 1 << 16 {
			x = x*6364136223846793005 + 1
		}
	}
	if x == 0 {
		t.Error("the work is not done")
	}
}
