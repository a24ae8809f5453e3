// Package html writes a run as a static site: a front page, a page for each family,
// kernel and shader, one for each case that did not pass, a list of all cases, and
// pages for mutants and times.
//
// The rule of the layer: every page stands alone. Its style and script are in it, it
// needs no server and no network, and everything that it says it says without the
// script, which adds filters, sorting and keys. Pages render what a reports.View
// says and judge nothing; the same view gives the same bytes.
package html
