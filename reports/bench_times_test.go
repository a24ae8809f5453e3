package reports

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestReadBench(t *testing.T) {
	const file = `goos: linux

BenchmarkConform/rms/dim=4/input=normal-8 7 2000 ns/op 500 ns/elem
BenchmarkConform/rms/dim=4/input=normal-8 7 2500 ns/op 500 ns/elem
BenchmarkConform/rms/dim=5/input=normal 7 3000 ns/op
BenchmarkOther/rms/dim=5/input=normal 7 1 ns/op
`
	got, err := ReadBench(strings.NewReader(file), "bench.txt")
	want := map[string][]float64{"rms/dim=4/input=normal": {2e-6, 2.5e-6}, "rms/dim=5/input=normal": {3e-6}}
	if diff := cmp.Diff(want, got.Seconds, cmpopts.EquateApprox(1e-12, 0)); diff != "" || err != nil {
		t.Errorf("%v, times (-want +got):\n%s", err, diff)
	}
	if _, err := ReadBench(strings.NewReader("BenchmarkConform/x 1\n"), "bench.txt"); err == nil || !strings.HasPrefix(err.Error(), "bench.txt:1: ") {
		t.Errorf("a row without values: %v", err)
	}
}
