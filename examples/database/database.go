// Package database lets a model read an SQL database: its functions are the
// tools, the resource and the prompt of the MCP server in the folder server.
//
//mcp:package version=1.0.0 instructions="Ask list_tables and describe_table for names before the first query."
package database

//go:generate go tool toolmill generate . -o server -runtime=import

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"modernc.org/sqlite"
)

// DB is a database that can only be read.
type DB struct{ pool *sql.DB }

// Open opens the SQLite file at path.
//
//mcp:provider
//mcp:param path env=DATABASE
func Open(ctx context.Context, path string) (*DB, func(), error) {
	address := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: "mode=ro&_pragma=query_only(1)"}
	pool, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, nil, err
	}
	pool.SetMaxOpenConns(1) // the limit below belongs to a connection
	pool.SetConnMaxLifetime(0)
	if err := detach(ctx, pool); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", path, err), pool.Close())
	}
	return &DB{pool}, func() { pool.Close() }, nil
}

// detach forbids ATTACH, which would read any database file of the machine.
func detach(ctx context.Context, pool *sql.DB) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	const limitAttached = 7 // SQLITE_LIMIT_ATTACHED in sqlite3.h
	_, err = sqlite.Limit(conn, limitAttached, 0)
	return err
}

// Value stands for a question mark.
//
//mcp:schema {"description":"text, a number, true, false or null"}
type Value struct{ v any }

// UnmarshalJSON keeps every digit of an integer, where encoding/json makes a
// float64 of any number.
func (v *Value) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err := d.Decode(&v.v)
	if n, ok := v.v.(json.Number); ok {
		if v.v, err = n.Int64(); err != nil {
			v.v, err = n.Float64()
		}
	}
	return err
}

// Value implements [driver.Valuer].
func (v Value) Value() (driver.Value, error) { return v.v, nil }

// Rows is what a query gives.
type Rows struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`           // values in the order of the columns
	More    bool     `json:"more,omitempty"` // there are more rows than maxRows
}

// Query runs one SELECT statement and returns its rows. Nothing can be changed
// through it.
//
//   - statement: a SELECT in the SQL of SQLite, with ? for each of args
//   - args: values for the question marks, in their order
//   - maxRows: how many rows to return at most
//
//mcp:tool readonly idempotent openworld=false
//mcp:param args optional
//mcp:param maxRows default=100 min=1 max=1000
func (db *DB) Query(ctx context.Context, statement string, args []Value, maxRows int) (*Rows, error) {
	var values []any
	for _, arg := range args {
		values = append(values, arg)
	}
	rows, err := db.pool.QueryContext(ctx, statement, values...)
	if err != nil {
		return nil, db.explain(ctx, err)
	}
	out := &Rows{Rows: [][]any{}}
	if err := errors.Join(out.read(rows, maxRows), rows.Close()); err != nil {
		return nil, db.explain(ctx, err)
	}
	return out, nil
}

func (out *Rows) read(rows *sql.Rows, most int) (err error) {
	if out.Columns, err = rows.Columns(); err != nil {
		return err
	}
	for rows.Next() {
		if out.More = len(out.Rows) == most; out.More {
			return nil
		}
		values := make([]any, len(out.Columns))
		to := make([]any, len(values))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return err
		}
		out.Rows = append(out.Rows, values)
	}
	return rows.Err()
}

// explain adds to an error about a table which ones there are.
func (db *DB) explain(ctx context.Context, err error) error {
	if !strings.Contains(err.Error(), "no such table") {
		return err
	}
	tables, failed := db.ListTables(ctx)
	if failed != nil {
		return err
	}
	var names []string
	for _, t := range tables {
		names = append(names, t.Name)
	}
	return fmt.Errorf("%w; there are: %s", err, strings.Join(names, ", "))
}

// Table is a table or view.
type Table struct {
	Name string `json:"name"`
	Type string `json:"type"` // "table" or "view"
}

// ListTables lists the tables and views, by name.
//
//mcp:tool readonly idempotent openworld=false
func (db *DB) ListTables(ctx context.Context) ([]Table, error) {
	rows, err := db.pool.QueryContext(ctx, `SELECT name, type FROM sqlite_schema
		WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var tables []Table
	for rows.Next() {
		var t Table
		if err := rows.Scan(&t.Name, &t.Type); err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, rows.Err()
}

// Column is one column of a table.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"` // as declared: "INTEGER"
	// NotNull says that every row has a value.
	NotNull bool `json:"notNull,omitempty"`
	// PrimaryKey is the column's place in the primary key, counted from 1.
	PrimaryKey int `json:"primaryKey,omitempty"`
}

// DescribeTable returns the columns of a table or view.
//
//   - table: its name, as list_tables gives it
//
//mcp:tool readonly idempotent openworld=false
func (db *DB) DescribeTable(ctx context.Context, table string) ([]Column, error) {
	columns, err := db.columns(ctx, table)
	if err == nil && len(columns) == 0 {
		err = db.explain(ctx, fmt.Errorf("no such table: %s", table))
	}
	return columns, err
}

func (db *DB) columns(ctx context.Context, table string) ([]Column, error) {
	rows, err := db.pool.QueryContext(ctx, `SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid`, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var columns []Column
	for rows.Next() {
		var c Column
		if err := rows.Scan(&c.Name, &c.Type, &c.NotNull, &c.PrimaryKey); err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return columns, rows.Err()
}

// Schema is the SQL that made the tables and views.
//
//mcp:resource uri=schema://tables name=tables mime=application/sql
func (db *DB) Schema(ctx context.Context) (string, error) {
	rows, err := db.pool.QueryContext(ctx, `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var text strings.Builder
	for rows.Next() {
		var statement string
		if err := rows.Scan(&statement); err != nil {
			return "", err
		}
		text.WriteString(statement + ";\n")
	}
	return text.String(), rows.Err()
}

// ExplainQuery asks for an explanation of a statement, with the schema at hand.
//
//   - statement: the SQL to explain
//   - audience: who it is for, for example "an accountant"
//
//mcp:prompt title="Explain a query"
//mcp:param audience default="a colleague"
func (db *DB) ExplainQuery(ctx context.Context, statement, audience string) (string, error) {
	schema, err := db.Schema(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Explain to %s, step by step, what this query returns:\n\n%s\n\nThe schema of the database:\n\n%s",
		audience, statement, schema), nil
}
