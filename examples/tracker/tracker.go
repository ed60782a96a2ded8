// Package tracker is an issue tracker kept in memory. Its server, in the folder
// server, shows a tool that comes later: add_label appears when there is an issue
// to label, and clients are told that the list changed.
//
//mcp:package version=1.0.0 instructions="Issues are gone when the server ends."
package tracker

//go:generate go run ../../cmd/toolmill generate . -o server -runtime=import

import (
	"fmt"
	"slices"
	"sync"
)

// Tracker holds the issues. It is safe for concurrent use.
type Tracker struct {
	mu      sync.Mutex
	issues  []Issue
	onFirst func()
}

// New returns a tracker without issues. It calls onFirst when there is a first.
func New(onFirst func()) *Tracker { return &Tracker{onFirst: onFirst} }

// Issue is one thing to do.
type Issue struct {
	Number int      `json:"number"` // counted from 1
	Title  string   `json:"title"`
	Body   string   `json:"body,omitempty"` // Markdown
	Labels []string `json:"labels"`
}

// Label is what kind of issue it is.
type Label string

// The labels.
const (
	Bug     Label = "bug"     // something does not work
	Feature Label = "feature" // something is missing
	Docs    Label = "docs"    // something is not explained
)

// CreateIssue files an issue.
//
//   - title: a short summary
//   - body: what happened, in Markdown
//
//mcp:tool destructive=false openworld=false
//mcp:param title minLength=1 maxLength=200
//mcp:param body optional
func (t *Tracker) CreateIssue(title, body string) Issue {
	t.mu.Lock()
	defer t.mu.Unlock()
	issue := Issue{Number: len(t.issues) + 1, Title: title, Body: body, Labels: []string{}}
	t.issues = append(t.issues, issue)
	if issue.Number == 1 && t.onFirst != nil {
		t.onFirst()
	}
	return issue
}

// ListIssues lists the issues, the first one first.
//
//   - label: only issues with this label
//
//mcp:tool readonly openworld=false
//mcp:param label optional
func (t *Tracker) ListIssues(label Label) []Issue {
	t.mu.Lock()
	defer t.mu.Unlock()
	var found []Issue
	for _, issue := range t.issues {
		if label == "" || slices.Contains(issue.Labels, string(label)) {
			issue.Labels = slices.Clone(issue.Labels)
			found = append(found, issue)
		}
	}
	return found
}

// AddLabel gives an issue a label.
//
//   - number: the issue's
//
//mcp:tool destructive=false idempotent openworld=false
func (t *Tracker) AddLabel(number int, label Label) (Issue, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if number < 1 || number > len(t.issues) {
		return Issue{}, fmt.Errorf("there is no issue %d: the last one is %d", number, len(t.issues))
	}
	issue := &t.issues[number-1]
	if !slices.Contains(issue.Labels, string(label)) {
		issue.Labels = append(issue.Labels, string(label))
	}
	return *issue, nil
}
