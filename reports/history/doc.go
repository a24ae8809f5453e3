// Package history keeps what runs measured in a file, an SQLite database.
//
// A file belongs to this program, and to this version of its tables or a later one: any
// other is refused before anything in it is touched. What is added is added whole or not
// at all, and once.
package history
