package metrics

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is written is read again, infinities as the largest numbers, and JSON of
// others with the space that they like.
func TestValuesAsJSON(t *testing.T) {
	o := Output{
		Output: "out", Type: "f32", Extents: []int{2, 3}, Elements: 6,
		Metrics: Values{
			{ErrorRatio, math.Inf(1), []int{1, 2}}, {Ulp, 0, nil}, {"abs", 1.5e-7, []int{0, 0}},
			{"snr", math.Inf(-1), nil}, {"rel", 0x1p70, nil},
			{"misrounded", 1234567, nil},
		},
		Slices: []Slices{{By: `a"\é`, Of: 2, Metrics: Values{{Cosine, 0.5, []int{1, 0}}}}, {By: "row", Of: 3}},
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"output":"out","type":"f32","extents":[2,3],"elements":6,"metrics":{"error_ratio":{"value":1.7976931348623157e+308,"at":[1,2]},` +
		`"ulp":0,"abs":{"value":1.5e-07,"at":[0,0]},"snr":-1.7976931348623157e+308,"rel":1.1805916207174113e+21,"misrounded":1234567},` +
		`"slices":[{"by":"a\"\\é","of":2,"cosine":{"value":0.5,"at":[1,0]}},{"by":"row","of":3}]}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, text := range []string{want,
		strings.NewReplacer("{", " { ", ",", "\n,\t", "]", " ]", `":`, `" : `).Replace(want)} {
		var again Output
		if err := json.Unmarshal([]byte(text), &again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(o, again); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestDamagedValues(t *testing.T) {
	for text, want := range map[string]string{
		`{"metrics":{"ulp":"x"}}`:                   "string into Go struct field Output.metrics.ulp",
		`{"metrics":{"ulp":{"value":[]}}}`:          "array into Go struct field Output.metrics.ulp.value",
		`{"metrics":{"ulp":{"value":1,"at":[""]}}}`: "string into Go struct field Output.metrics.ulp.at",
		`{"metrics":[]}`:                            "array into Go struct field Output.metrics",
		`{"slices":[{"of":"x"}]}`:                   "string into Go struct field Output.slices.of",
	} {
		var o Output
		if err := json.Unmarshal([]byte(text), &o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var o Output
	if err := json.Unmarshal([]byte(`{"metrics":null,"slices":[{}]}`), &o); err != nil {
		t.Error(err)
	}
}
