package regular

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// Objects with a member twice are refused, however deep and however it is spelt, and so is what is not UTF-8. What only
// looks alike is not.
func TestUnambiguous(t *testing.T) {
	var many strings.Builder
	for i := range 2 * fewNames {
		fmt.Fprintf(&many, `"n%d":0,`, i)
	}
	for text, twice := range map[string]bool{
		`{}`: false, `[]`: false, `"a"`: false, `1`: false, `{"a":1,"b":1}`: false,
		`{"a":1,"a":1}`: true, `{"a":1,"A":1}`: true, `{"a":1,"\u0061":1}`: true, `{"a" : 1 , "b":2, "a":1}`: true,
		`{"s":1,"\u017f":1}`: true, `{"k":1,"\u212a":1}`: true, // which encoding/json folds too
		`{"a":{"a":{"a":1}}}`: false, `{"a":{"b":1,"b":1}}`: true, `[{"a":1},{"a":1}]`: false,
		`[{"a":1},{"a":1,"a":2}]`: true,
		`{"a":"a","b":"a"}`:       false, `{"a":["a","a"],"b":{"a":1}}`: false, `{"a":{},"a":{}}`: true,
		`{"a":[],"b":[{}],"a":1}`: true,
		`{"a\"":1,"a":1}`:         false, `{"a":"\\","b":"\"{","a":1}`: true, `{"a":"}\"","b":1}`: false,
		`{"":1,"":1}`:      true,
		"{\"a\":\"\xff\"}": true, "\"\xc3\u00e9\"": true, `{"é":"\ufffd","\u00e8":1}`: false,
		"{" + many.String() + `"x":1}`: false, "{" + many.String() + `"n3":1}`: true,
		"{" + many.String() + `"x":1,"X":1}`: true,
	} {
		var v any
		if err := JSON([]byte(text), &v); err != nil != twice {
			t.Errorf("%.60s: %v", text, err)
		}
		if err := KnownJSON([]byte(text), &v); err != nil != twice {
			t.Errorf("known, %.60s: %v", text, err)
		}
	}
}

// Members that a value has no room for, and what stands behind it.
func TestKnownJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"A":1}`: "", " {\"A\":1} \r\n": "",
		`{"A":1,"B":2}`: "unknown field", `{"A":1}{"A":2}`: "behind", "{\"A\":1}\x00": "behind", `{"A":`: "EOF",
		`{"A":"x"}`: "cannot unmarshal",
	} {
		var v struct{ A int }
		err := KnownJSON([]byte(text), &v)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err == nil && v.A != 1 {
			t.Errorf("%q: %v", text, v)
		}
	}
}

// Whatever a text holds that is JSON, the scan agrees with a decoder that gives the names one by one.
func FuzzUnambiguous(f *testing.F) {
	f.Add(`{"a":[{"b":1},{"b":"\\\""}],"c":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			t.Skip()
		}
		err := Unambiguous([]byte(text))
		if want := !utf8.ValidString(text) || repeats(json.NewDecoder(strings.NewReader(text))); err != nil != want {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	})
}

// repeats reports whether the next value has an object with a member twice.
func repeats(d *json.Decoder) bool {
	begin, _ := d.Token()
	if _, nests := begin.(json.Delim); !nests {
		return false
	}
	twice, seen := false, map[string]bool{}
	for d.More() {
		if begin == json.Delim('{') {
			name, _ := d.Token()
			folded := strings.ToLower(strings.ToUpper(name.(string)))
			twice, seen[folded] = twice || seen[folded], true
		}
		twice = repeats(d) || twice
	}
	_, _ = d.Token()
	return twice
}
