package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Output is how far one output is off.
type Output struct {
	Stage    string `json:"stage,omitempty"` // of a pipeline, or the invariant between its buffers
	Output   string `json:"output"`
	Type     string `json:"type"`
	Extents  []int  `json:"extents"`
	Elements int    `json:"elements"` // measured

	Metrics   Values    `json:"metrics"`
	Histogram Histogram `json:"histogram,omitempty"` // of errors in units in the last place; nil for integers
	Slices    []Slices  `json:"slices,omitempty"`    // nil where got is want in every element
	Map       *Map      `json:"map,omitempty"`       // nil unless an element fails a check or has an error above half of its bound
}

// Exact reports whether nothing is wrong with the output.
func (o Output) Exact() bool { return o.number(ErrorRatio) == 0 && o.number("abs") == 0 }

// number is a value, 0 if there is none.
func (o Output) number(key string) float64 {
	v, _ := o.Metrics.Find(key)
	return v.Value
}

// Value is that of one metric.
type Value struct {
	Key   string
	Value float64
	At    []int // the element that has it, over the output's extents; nil for a value of all elements, and for 0
}

// Values are those of several metrics, in the order of their table.
type Values []Value

// Find is the value of a metric.
func (v Values) Find(key string) (Value, bool) {
	for i := range v {
		if v[i].Key == key {
			return v[i], true
		}
	}
	return Value{}, false
}

// MarshalJSON writes an object with a member for each metric: a number, or an
// object with value and at for an element. Infinities are the largest numbers.
func (v Values) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, x.Key), ':')
		if x.At == nil {
			b = appendNumber(b, x.Value)
			continue
		}
		b = append(appendNumber(append(b, `{"value":`...), x.Value), `,"at":[`...)
		for j, n := range x.At {
			if j > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(n), 10)
		}
		b = append(b, "]}"...)
	}
	return append(b, '}'), nil
}

// appendNumber writes x as JSON.
func appendNumber(b []byte, x float64) []byte {
	switch {
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return strconv.AppendInt(b, int64(x), 10)
	case math.IsNaN(x) || x > math.MaxFloat64:
		x = math.MaxFloat64
	case x < -math.MaxFloat64:
		x = -math.MaxFloat64
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Values) UnmarshalJSON(text []byte) error {
	*v = Values{}
	return members(text, v.read)
}

// read takes in the member of a metric.
func (v *Values) read(key string, text json.RawMessage) error {
	var x struct {
		Value float64 `json:"value"`
		At    []int   `json:"at"`
	}
	var err error
	if bytes.HasPrefix(text, []byte("{")) {
		err = json.Unmarshal(text, &x)
	} else {
		err = json.Unmarshal(text, &x.Value)
	}
	if math.Abs(x.Value) == math.MaxFloat64 {
		x.Value = math.Copysign(math.Inf(1), x.Value)
	}
	*v = append(*v, Value{key, x.Value, x.At})
	return err
}

// members gives each member of a JSON object to a function, in order.
func members(text []byte, read func(key string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return fmt.Errorf("got %v, want an object", begin)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := read(key.(string), value); err != nil {
			return within(key.(string), err)
		}
	}
	return nil
}

// within says which member an error is about, as decoding a struct does.
func within(key string, err error) error {
	var t *json.UnmarshalTypeError
	if !errors.As(err, &t) {
		return fmt.Errorf("%s: %w", key, err)
	}
	t.Field = strings.TrimSuffix(key+"."+t.Field, ".")
	return t
}

// MarshalJSON writes an object with by, of, and a member for each metric.
func (s Slices) MarshalJSON() ([]byte, error) {
	b := append(strconv.AppendQuote([]byte(`{"by":`), s.By), `,"of":`...)
	b = strconv.AppendInt(b, int64(s.Of), 10)
	values, err := s.Metrics.MarshalJSON()
	if len(s.Metrics) > 0 {
		b = append(b, ',')
	}
	return append(b, values[1:]...), err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Slices) UnmarshalJSON(text []byte) error {
	*s = Slices{}
	return members(text, func(key string, value json.RawMessage) error {
		switch key {
		case "by":
			return json.Unmarshal(value, &s.By)
		case "of":
			return json.Unmarshal(value, &s.Of)
		}
		return s.Metrics.read(key, value)
	})
}
