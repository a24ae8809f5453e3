package kernels

import (
	"io/fs"
	"slices"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
	"metalconform/shaders"
)

// TestOneContractPerOperation holds all kernels that have a piece of mathematics to the
// same terms for it: that their oracles ask for the forms of each operation that the
// kernels themselves use, and that no contract of the catalogue answers otherwise than
// another.
func TestOneContractPerOperation(t *testing.T) {
	used := functionsUsed(t)
	cases := firstInputs()
	terms := map[oracles.Operation]map[string][]string{} // kernels by their terms
	for name, of := range cases {
		if !inTime(of[0]) {
			continue
		}
		asked, needed := map[oracles.Operation]bool{}, map[oracles.Operation]string{}
		for subject, o := range map[string]oracles.Operation{
			"accuracy of exp": oracles.Exponential, "accuracy of log": oracles.Exponential,
			"accuracy of /": oracles.Division, "accuracy of rsqrt": oracles.Root,
		} {
			if slices.Contains(used[name], subject) {
				needed[o] = subject
			}
		}
		for i, c := range of {
			if i >= 6 && len(needed) == 0 {
				break
			}
			contract := c.Kernel.Contract
			contract.Tracer = oracles.NewSumTracer()
			ask(t, c, contract)
			for _, o := range contract.Tracer.Operations() {
				asked[o] = true
				delete(needed, o)
			}
		}
		contract := of[0].Kernel.Contract
		contract.Sums, contract.Chunk = nil, 0 // what follows from a kernel's own geometry
		for o := range asked {
			if terms[o] == nil {
				terms[o] = map[string][]string{}
			}
			terms[o][contract.String()] = append(terms[o][contract.String()], name)
		}
		for o, subject := range needed {
			t.Errorf("%s leaves the %s to the device, and its oracle never asks for the form of %s", name, subject, o)
		}
	}
	for o, by := range terms {
		if len(by) > 1 {
			t.Errorf("%s has several contracts: %v", o, by)
		}
	}
	for o := oracles.Division; o <= oracles.Softmax; o++ {
		if len(terms[o]) == 0 {
			t.Errorf("no oracle asks for the form of %s", o)
		}
	}
}

// functionsUsed are the choices that each of our kernels leaves to the device when its
// functions are fast, so that all of them are among the choices.
func functionsUsed(t *testing.T) map[string][]string {
	t.Helper()
	runner := sim.New(sim.Semantics{Adversary: &sim.Adversary{Seed: 1, Choices: -1}})
	t.Cleanup(func() { runner.Close() })
	used := map[string][]string{}
	for _, f := range All() {
		if len(f.Kernels) == 0 {
			continue
		}
		text, err := fs.ReadFile(shaders.FS, f.Name+".metal")
		if err != nil {
			t.Fatal(err)
		}
		program, err := metalrun.Analyse(metalrun.SourceText(f.Name+".metal", string(text)),
			metalrun.CompileOptions{LanguageVersion: metalrun.DefaultVersion, MathMode: metalrun.MathSafe,
				FastFunctions: true})
		if err != nil {
			t.Fatal(err)
		}
		library, err := runner.Compile(program)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range f.Kernels {
			kernel, err := library.Kernel(k.Name)
			if err != nil {
				t.Fatal(err)
			}
			for _, choice := range kernel.(metalrun.Chooser).Choices() {
				used[k.Name] = append(used[k.Name], choice.Subject)
			}
		}
	}
	return used
}
