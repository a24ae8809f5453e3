package reports

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Any split of a run and any order of its files give the bytes of the run as a
// single process writes it.
func TestMergeAnySplitAnyOrder(t *testing.T) {
	want := file(t, results(), nil)
	r := rand.New(rand.NewPCG(1, 1))
	for of := 1; of <= len(results())+3; of++ {
		var files []Run
		for index := 1; index <= of; index++ {
			cases := 0
			for i := range results() {
				if (Shard{Index: index, Of: of}).Has(i) {
					cases++
				}
			}
			files = append(files, read(t, file(t, results(), &Shard{Index: index, Of: of, Cases: cases})))
		}
		for range 5 {
			r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
			run, err := Merge(files)
			if err != nil {
				t.Fatal(err)
			}
			if !run.Complete() {
				t.Errorf("%d shards: incomplete: %v", of, run.Flaws)
			}
			var b strings.Builder
			if err := JSON(&b, run); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, b.String()); diff != "" {
				t.Fatalf("%d shards (-want +got):\n%s", of, diff)
			}
		}
	}
}

// shards are a run in three files.
func shards(t *testing.T) []Run {
	var files []Run
	for index := 1; index <= 3; index++ {
		files = append(files, read(t, file(t, results(), &Shard{Index: index, Of: 3, Cases: 3 + index%3%2})))
	}
	return files
}

func TestMergeMissing(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func([]Run) []Run
		want   []string
	}{
		{"a shard", func(files []Run) []Run { return files[1:] }, []string{"1 of 3 shards missing: 1"}},
		{"two shards", func(files []Run) []Run { return files[1:2] }, []string{"2 of 3 shards missing: 1, 3"}},
		{"an ending", func(files []Run) []Run { files[1].Ending = nil; return files },
			[]string{"shard 2 of 3 did not end: it has 3 of 3 cases"}},
		{"a line", func(files []Run) []Run {
			files[2].Flaws = []Flaw{{File: "c/results.jsonl", Line: 4, Message: "damaged"}}
			return files
		}, []string{"c/results.jsonl:4: damaged"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := test.change(shards(t))
			run, err := Merge(files)
			if err != nil {
				t.Fatal(err)
			}
			slices.Reverse(files)
			other, err := Merge(files)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(run, other, cmp.AllowUnexported(Run{})); diff != "" {
				t.Errorf("another order of files (-want +got):\n%s", diff)
			}
			var got []string
			for _, f := range run.Flaws {
				got = append(got, f.Error())
			}
			if diff := cmp.Diff(test.want, got); diff != "" || run.Complete() {
				t.Errorf("complete %v, flaws (-want +got):\n%s", run.Complete(), diff)
			}
		})
	}
}

func TestMergeDisagreeing(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Run)
		want   string
	}{
		{"a case of another shard", func(r *Run) { r.indices[0] = 0 }, "shards 1 and 2 both have " + results()[1].Case},
		{"costs", func(r *Run) { r.Shard.Costs = "ab" }, `shards of different runs: shard.costs is nothing and "ab"`},
		{"seed", func(r *Run) { r.Options.Seed = 7 }, "shards of different runs: options.seed is 1 and 7"},
		{"device and commit", func(r *Run) { r.Device.Name, r.Commit = "M9", "" },
			`shards of different runs: commit is "0123abc" and nothing; device.name is "conform simulator" and "M9"`},
		{"shader", func(r *Run) { r.Shaders = map[string]Shader{"b.metal": {SHA256: "beef"}} },
			`shards of different runs: shaders.b.metal.sha256 is "f00d" and "beef"`},
		{"shards", func(r *Run) { r.Shard = &Shard{Index: 2, Of: 4} }, "shards of different runs: shard.of is 3 and 4"},
		{"kernels", func(r *Run) { r.Kernels = nil }, "shards of different runs: kernels differs"},
		{"processor", func(r *Run) { r.Host.CPUs, r.Started = []string{"CPU B"}, r.Started.AddDate(0, 0, 1) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := shards(t)
			test.change(&files[1])
			run, err := Merge(files)
			switch {
			case err == nil && test.want != "":
				t.Errorf("no error, want %s", test.want)
			case err != nil && err.Error() != test.want:
				t.Errorf("\n got %v\nwant %s", err, test.want)
			case err == nil &&
				(run.Host.String() != "linux/amd64, CPU A and CPU B" || !run.Started.Equal(files[0].Started)):
				t.Errorf("processors of %s, started %v", run.Host, run.Started)
			}
		})
	}
}

// TestMergeRepeated has a shard judged again, after a first process was killed, came
// late, or found something else.
func TestMergeRepeated(t *testing.T) {
	whole, err := Merge(shards(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		change func(*Run)
		want   string
	}{
		{"killed", func(r *Run) { r.Ending, r.Results, r.indices = nil, r.Results[:1], r.indices[:1] }, ""},
		{"torn", func(r *Run) { r.Flaws = []Flaw{{File: "a", Line: 3, Message: "damaged"}} }, ""},
		{"late", func(r *Run) { r.Started = r.Started.AddDate(0, 0, 1) }, ""},
		{"slow", func(r *Run) { r.Results[0].NS, r.Results[1].CostNS = 77, 78 }, ""},
		{"different", func(r *Run) { r.Results[1].Digest = "ff" },
			"shard 2 of 3 was judged twice, and " + results()[4].Case + " differs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for at := range 4 {
				other := shards(t)[1]
				if test.change(&other); test.name == "slow" {
					other.Started = other.Started.AddDate(0, 0, 1)
				}
				got, err := Merge(slices.Insert(shards(t), at, other))
				if err != nil && err.Error() == test.want {
					continue
				}
				if err != nil || test.want != "" {
					t.Fatalf("at %d: %v, want %q", at, err, test.want)
				}
				if diff := cmp.Diff(whole, got, cmp.AllowUnexported(Run{})); diff != "" || !got.Complete() {
					t.Errorf("at %d: complete %v (-one file of each shard +two of one):\n%s", at, got.Complete(), diff)
				}
			}
		})
	}
}
