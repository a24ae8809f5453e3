// Package suitetest has what the tests of the packages above suite put under test: a runner of Go
// functions, a kernel and a pipeline that run on it, and a kernel of nobody's catalogue.
//
// The rule of the layer: only tests import it. Package suite's own tests have the same in fake_test.go,
// because a package that imports suite is not for them.
package suitetest
