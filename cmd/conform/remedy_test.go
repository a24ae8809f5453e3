package main

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"metalconform/internal/config"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/kernels"
)

// sequentialSum adds in another order than the catalogue's kernel.
const sequentialSum = `#include <metal_stdlib>
using namespace metal;
kernel void rms_norm_sum_sq(device const float *x [[buffer(0)]], device float *sum_sq [[buffer(1)]],
                            constant uint &dim [[buffer(2)]], uint lane [[thread_index_in_threadgroup]]) {
  if (lane != 0) { return; }
  float sum = 0;
  for (uint i = 0; i < dim; i++) { sum += x[i] * x[i]; }
  *sum_sq = sum;
}
`

// An entry that a failure prints can be pasted as it is, and cures the failure.
func TestRemedyConforms(t *testing.T) {
	shaders, err := suite.OpenShaders(fstest.MapFS{"norm.metal": {Data: []byte(sequentialSum)}}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	defer shaders.Release()
	runner := sim.New(sim.Semantics{})
	defer runner.Close()
	judged := func(declared *suite.Declarations) (result suite.Result) {
		const name = "rms_norm_sum_sq/dim=5120/input=normal"
		for _, c := range suite.Cases(declared.Families(kernels.All()), suite.Quick) {
			if c.Name == name {
				opts := suite.Options{Shaders: shaders, Seed: 1, Declared: declared, Today: midNovember,
					Exact: session.Exactness{In: session.Float64}.Devices(session.LaunchLimits{})}
				if err := suite.Run(context.Background(), runner, opts, []suite.Case{c},
					func(r suite.Result) { result = r }); err != nil {
					t.Fatal(err)
				}
				return result
			}
		}
		t.Fatalf("no case is called %s", name)
		return result
	}
	failed := judged(nil)
	if len(failed.Failures) != 1 || failed.Failures[0].Remedy == nil {
		t.Fatalf("%s without a remedy: %s", failed.Status, failed.Text())
	}
	entry := failed.Failures[0].Remedy.TOML()
	declared, err := config.Parse(nil, "conform.toml", []byte(entry), midNovember, session.OwnCases())
	if err != nil {
		t.Fatalf("%v in\n%s", err, entry)
	}
	if r := judged(declared); r.Status != suite.Pass || r.ErrorRatio > failed.Failures[0].Remedy.ErrorRatio {
		t.Errorf("%s at %g of the bound with\n%s\n%s", r.Status, r.ErrorRatio, entry, r.Text())
	}
}

// midNovember is the day that these tests take for today.
var midNovember = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
