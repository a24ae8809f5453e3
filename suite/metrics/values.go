package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

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
		key, err := json.Marshal(x.Key)
		if err != nil {
			return nil, err
		}
		b = append(append(b, key...), ':')
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
	err := members(text, v.read)
	*v = slices.Clone(*v) // which have no room left over: there are many
	return err
}

// read takes in the member of a metric.
func (v *Values) read(key string, text []byte) (err error) {
	x := Value{Key: key}
	if text[0] != '{' {
		x.Value, err = readNumber(text)
	} else {
		err = members(text, func(member string, text []byte) (err error) {
			switch member {
			case "value":
				x.Value, err = readNumber(text)
			case "at":
				x.At, err = readIndices(text)
			}
			return err
		})
	}
	*v = append(*v, x)
	return err
}

// readNumber reads what appendNumber writes.
func readNumber(text []byte) (float64, error) {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, json.Unmarshal(text, &x) // which says what it is
	}
	if math.Abs(x) == math.MaxFloat64 {
		x = math.Copysign(math.Inf(1), x)
	}
	return x, nil
}

// members gives each member of an object to a function, in order. The text is
// JSON, as that of every UnmarshalJSON: a run has some hundred thousand values, and
// they are not checked again.
func members(text []byte, read func(key string, value []byte) error) error {
	if text[0] != '{' {
		var object map[string]any
		return json.Unmarshal(text, &object) // which takes null, and says what else it is
	}
	for rest := trim(text[1:]); rest[0] != '}'; {
		n := extent(rest)
		key := keyOf(rest[1 : n-1])
		if strings.ContainsRune(key, '\\') {
			if err := json.Unmarshal(rest[:n], &key); err != nil {
				return err
			}
		}
		rest = trim(trim(rest[n:])[1:]) // behind the colon
		n = extent(rest)
		if err := read(key, rest[:n]); err != nil {
			return within(key, err)
		}
		if rest = trim(rest[n:]); rest[0] == ',' {
			rest = trim(rest[1:])
		}
	}
	return nil
}

// keyOf is a text, which all values have in common if it is the key of a metric.
func keyOf(text []byte) string {
	if key, ok := keys()[string(text)]; ok {
		return key
	}
	return string(text)
}

// keys are those of all metrics, and of what stands beside them.
var keys = sync.OnceValue(func() map[string]string {
	all := map[string]string{"value": "value", "at": "at"}
	for _, m := range All() {
		all[m.Key] = m.Key
	}
	return all
})

// readIndices reads whole numbers as they are written, and leaves all else to a reader that says what it is.
func readIndices(text []byte) (list []int, err error) {
	inner := bytes.TrimSuffix(bytes.TrimPrefix(text, []byte("[")), []byte("]"))
	list = make([]int, 0, bytes.Count(inner, []byte(","))+1)
	for part := range bytes.SplitSeq(inner, []byte(",")) {
		n, err := strconv.Atoi(string(part))
		if err != nil || len(inner)+len("[]") != len(text) {
			list = nil
			err = json.Unmarshal(text, &list)
			return list, err
		}
		list = append(list, n)
	}
	return list, nil
}

// trim is JSON without the space that it begins with.
func trim(text []byte) []byte { return bytes.TrimLeft(text, " \t\r\n") }

// extent is the length of the value that JSON begins with.
func extent(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth--; depth < 0 {
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || c <= ' '):
			return i
		}
	}
	return len(text)
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
	by, err := json.Marshal(s.By)
	if err != nil {
		return nil, err
	}
	b := slices.Concat([]byte(`{"by":`), by, []byte(`,"of":`))
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
	return members(text, func(key string, value []byte) error {
		switch key {
		case "by":
			return json.Unmarshal(value, &s.By)
		case "of":
			return json.Unmarshal(value, &s.Of)
		}
		return s.Metrics.read(key, value)
	})
}
