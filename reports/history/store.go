package history

import (
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/sqlite" // and the driver
	sqlite3 "modernc.org/sqlite/lib"

	"metalconform/internal/regular"
)

// Store is an open history.
type Store struct {
	db   *sql.DB
	file string
}

// application marks a database as a history; version is that of its tables.
const (
	application = 0x436f6e66 // Conf
	version     = 1
)

//go:embed tables.sql
var tables string

// Open opens a history, and with create makes one where there is no file.
func Open(file string, create bool) (*Store, error) {
	if err := recognise(file, create); err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: url.Values{
		"_pragma": {"busy_timeout(20000)", "foreign_keys(1)"}, "_txlock": {"immediate"},
	}.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, err
	}
	s := &Store{db, file}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }

// recognise refuses a file that is no database, so that nothing takes it for an empty one.
func recognise(file string, create bool) error {
	f, err := regular.Open(file, regular.Results)
	switch {
	case errors.Is(err, os.ErrNotExist) && create:
		return nil
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: there is no such history; conform history add makes one", file)
	case err != nil:
		return err
	}
	defer f.Close()
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	switch n, err := io.ReadFull(f, head); {
	case n == 0 && errors.Is(err, io.EOF) && create: // mktemp
		return nil
	case string(head) != magic:
		return fmt.Errorf("%s: no history of conform: it is not an SQLite database; name another file", file)
	}
	return nil
}

// prepare makes the tables of a new file, and refuses one that this program cannot use.
func (s *Store) prepare() error {
	var found, of, objects int
	err := s.db.QueryRow(`SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`).Scan(&found, &of, &objects) // at one moment, since others may be making it
	switch {
	case err != nil:
		return s.damaged(err)
	case found == 0 && of == 0 && objects == 0:
		return s.make()
	case found != application:
		return fmt.Errorf("%s: no history of conform, but another program's database; name another file", s.file)
	case of > version:
		return fmt.Errorf("%s: version %d of a history, and this program knows up to %d: use the conform that wrote it, or a later one, or begin another file with conform history add", s.file, of, version)
	}
	if err := s.checkObjects(); err != nil {
		return err
	}
	if err := s.checkValues(); err != nil {
		return err
	}
	var said string
	if err := s.db.QueryRow("PRAGMA quick_check(1)").Scan(&said); err != nil || said != "ok" {
		return s.damaged(errors.Join(err, errors.New(said)))
	}
	return nil
}

// checkObjects refuses a file with a table, an index, a view or a trigger that is none of ours: SQLite would compute what somebody
// else has written there, in constraints as well as in triggers.
func (s *Store) checkObjects() error {
	rows, err := s.db.Query("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
	if err != nil {
		return s.damaged(err)
	}
	defer rows.Close()
	own := statements(tables)
	for rows.Next() {
		var kind, name, text string
		if err := rows.Scan(&kind, &name, &text); err != nil {
			return s.damaged(err)
		}
		if !slices.Contains(own, words(text)) {
			return fmt.Errorf("%s: no history of conform: it has a %s called %.100q; restore a copy, or name another file", s.file, kind, name)
		}
	}
	if err := rows.Err(); err != nil {
		return s.damaged(err)
	}
	return nil
}

// statements are those of a text, of which SQLite keeps those that make something; and what ANALYZE makes.
func statements(text string) []string {
	list := []string{"CREATE TABLE sqlite_stat1(tbl,idx,stat)", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"}
	for statement := range strings.SplitSeq(words(text), ";") {
		list = append(list, strings.TrimSpace(statement))
	}
	return list
}

// words is a text of SQL without comments, which differ between versions, and with one space for any. There are no quotes in ours.
func words(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "--")
		b.WriteString(code + " ")
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// mostValue bounds a value, in bytes: SQLite lets a file from a stranger have any.
const mostValue = 1 << 20

// checkValues refuses a file with a value that is too long to be ours, without reading it.
func (s *Store) checkValues() error {
	var query sql.NullString
	err := s.db.QueryRow(`SELECT 'SELECT ' || group_concat(long, ' OR ') FROM (
		SELECT format('EXISTS (SELECT 1 FROM "%w" WHERE max(0, %s) > ?1)', t.name, group_concat(format('ifnull(octet_length("%w"), 0)', c.name), ', ')) AS long
		FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' GROUP BY t.name)`).Scan(&query)
	long := false
	if err == nil && query.Valid {
		var found sql.NullBool
		err = s.db.QueryRow(query.String, mostValue).Scan(&found)
		long = found.Bool
	}
	switch {
	case err != nil:
		return s.damaged(err)
	case long:
		return fmt.Errorf("%s: no history of conform: a value has more than %d bytes; restore a copy, or name another file", s.file, mostValue)
	}
	return nil
}

// damaged says what can be done about a file that SQLite cannot read.
func (s *Store) damaged(err error) error {
	var said *sqlite.Error
	if errors.As(err, &said) && said.Code()&0xff == sqlite3.SQLITE_BUSY {
		return fmt.Errorf("%s: another program is at work on it; try again later", s.file)
	}
	text := strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
	return fmt.Errorf("%s: damaged: %s; restore a copy, or move it away and conform history add the results again", s.file, text)
}

// make makes the tables, all or none; of two programs that do at once, one finds them made.
func (s *Store) make() error {
	tx, err := s.db.Begin()
	if err != nil {
		return s.damaged(err)
	}
	defer tx.Rollback()
	var of int
	if err := tx.QueryRow("PRAGMA user_version").Scan(&of); err != nil || of == version {
		return err
	}
	_, err = tx.Exec(tables + fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", application, version))
	if err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	return tx.Commit()
}
