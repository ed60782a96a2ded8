package database

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// sample makes a database file and returns its path.
func sample(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{
		`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, credit INTEGER)`,
		`CREATE VIEW rich AS SELECT name FROM customers WHERE credit > 1000`,
		`INSERT INTO customers (name, credit) VALUES ('Ada', 9007199254740993), ('Bob', 7), ('Eve', NULL)`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestServer(t *testing.T) {
	client := prove.Start(t, []string{"DATABASE=" + sample(t)}, prove.Build(t, "server"))

	for _, c := range []struct{ name, tool, arguments, want string }{
		{"exact numbers and NULL", "query", `{"statement":"SELECT name, credit FROM customers ORDER BY id"}`,
			`{"columns":["name","credit"],"rows":[["Ada",9007199254740993],["Bob",7],["Eve",null]]}`},
		{"rows are bounded", "query", `{"statement":"SELECT name FROM customers ORDER BY id","maxRows":1}`,
			`{"columns":["name"],"rows":[["Ada"]],"more":true}`},
		{"arguments", "query", `{"statement":"SELECT id FROM customers WHERE name = ?","args":["Bob"]}`,
			`{"columns":["id"],"rows":[[2]]}`},
		{"arguments with every digit", "query", `{"statement":"SELECT name FROM customers WHERE credit = ? OR credit = ?","args":[9007199254740993,7.0]}`,
			`{"columns":["name"],"rows":[["Ada"],["Bob"]]}`},
		{"tables and views", "list_tables", `{}`,
			`{"result":[{"name":"customers","type":"table"},{"name":"rich","type":"view"}]}`},
		{"columns", "describe_table", `{"table":"customers"}`,
			`{"result":[{"name":"id","type":"INTEGER","primaryKey":1},{"name":"name","type":"TEXT","notNull":true},{"name":"credit","type":"INTEGER"}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := client.Call(c.tool, c.arguments)
			if result.IsError || !prove.SameJSON(result.Structured, []byte(c.want)) {
				t.Errorf("got %s, want %s", result.Raw, c.want)
			}
		})
	}

	for _, c := range []struct{ name, tool, arguments, want string }{
		{"a table that does not exist is named", "query", `{"statement":"SELECT * FROM custmers"}`, "custmers"},
		{"and the tables there are", "query", `{"statement":"SELECT * FROM custmers"}`, "customers, rich"},
		{"to describe one that does not exist", "describe_table", `{"table":"orders"}`, "orders"},
		{"nothing can be changed", "query", `{"statement":"DELETE FROM customers"}`, "readonly"},
		{"no other file can be read", "query", `{"statement":"ATTACH 'other.db' AS other"}`, "attached"},
		{"too many rows", "query", `{"statement":"SELECT 1","maxRows":5000}`, "maxRows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := client.Call(c.tool, c.arguments)
			if !result.IsError || !strings.Contains(result.Text(), c.want) {
				t.Errorf("got %s, want an error that holds %q", result.Raw, c.want)
			}
		})
	}

	m := client.Send("resources/read", `{"uri":"schema://tables"}`).Wait()
	if text := string(prove.Member(m.Result, "/contents/0/text")); !strings.Contains(text, "CREATE TABLE customers") {
		t.Errorf("schema://tables gave %s", m.Raw)
	}
	m = client.Send("prompts/get", `{"name":"explain_query","arguments":{"statement":"SELECT name FROM rich"}}`).Wait()
	text := string(prove.Member(m.Result, "/messages/0/content/text"))
	for _, part := range []string{"a colleague", "SELECT name FROM rich", "CREATE VIEW rich"} {
		if !strings.Contains(text, part) {
			t.Errorf("explain_query lacks %q: %s", part, m.Raw)
		}
	}
}
