//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/ebitengine/purego"

	"metalconform/metalrun"
)

// message is one message that the runner sends.
type message struct {
	receiver string // class or protocol, for errors
	name     string
	answers  reflect.Type // the Go function: the object first, then the arguments

	once     sync.Once
	selector selector
	send     reflect.Value // objc_msgSend with the types of this message
	checked  sync.Map      // classes whose method fits
}

// called has the methods of the system that this process has called, each a [metalrun.Method].
var called sync.Map

// methods lists them by class and name.
func methods() (list []metalrun.Method) {
	called.Range(func(m, _ any) bool {
		list = append(list, m.(metalrun.Method))
		return true
	})
	slices.SortFunc(list, func(a, b metalrun.Method) int {
		return cmp.Or(strings.Compare(a.Class, b.Class), strings.Compare(a.Name, b.Name))
	})
	return list
}

// bind makes the messages to one class or protocol: a struct of functions that take
// the object first, each with its selector as a tag.
func bind[T any](receiver string) *T {
	table := new(T)
	fields := reflect.ValueOf(table).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		m := &message{receiver: receiver, name: field.Tag.Get("objc"), answers: field.Type}
		fields.Field(i).Set(reflect.MakeFunc(field.Type, m.call))
	}
	return table
}

// call sends the message. It panics with a *mismatch where the object's method is not
// what the runner takes it for: Objective-C itself would crash, or worse, not crash.
func (m *message) call(args []reflect.Value) []reflect.Value {
	m.once.Do(m.register)
	m.check(id(args[0].Uint()))
	all := append([]reflect.Value{args[0], reflect.ValueOf(m.selector)}, args[1:]...)
	return m.send.Call(all)
}

// register makes the function that objc_msgSend is for this message.
func (m *message) register() {
	m.selector = objc.registerName(m.name)
	in := []reflect.Type{reflect.TypeFor[id](), reflect.TypeFor[selector]()}
	for i := 1; i < m.answers.NumIn(); i++ {
		in = append(in, m.answers.In(i))
	}
	var out []reflect.Type
	if m.answers.NumOut() > 0 {
		out = append(out, m.answers.Out(0))
	}
	function := reflect.New(reflect.FuncOf(in, out, false))
	purego.RegisterFunc(function.Interface(), objc.send)
	m.send = function.Elem()
}

// mismatch is a message that must not be sent.
type mismatch struct{ what string }

func (m *mismatch) Error() string { return m.what }

// check compares the message with the method of the object's class. A class that
// forwards what it has no method for can only be asked whether it responds.
func (m *message) check(object id) {
	if object == 0 {
		panic(&mismatch{fmt.Sprintf("%s %s is sent to nil", m.receiver, m.name)})
	}
	class := objc.classOf(object)
	if _, ok := m.checked.Load(class); ok {
		return
	}
	known := metalrun.Method{Class: objc.className(class), Name: m.name}
	if method := objc.method(class, m.selector); method != 0 {
		known.Encoding = objc.encoding(method)
		var err error
		if known.Differs, err = compareEncoding(m.answers, known.Encoding); err != nil {
			panic(&mismatch{fmt.Sprintf("[%s %s]: %v", known.Class, m.name, err)})
		}
	} else if !responds(object, m.name) {
		panic(&mismatch{fmt.Sprintf("%s, an %s, does not respond to %s", known.Class, m.receiver, m.name)})
	}
	called.Store(known, true)
	m.checked.Store(class, true)
}

// responds asks the object itself: it may forward.
func responds(object id, name string) bool {
	return objc.responds(object, objc.registerName("respondsToSelector:"), objc.registerName(name))
}
