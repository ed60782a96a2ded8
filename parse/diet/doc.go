// Package diet makes tools cheaper to read. The schemas of a large API cost a
// model a hundred thousand tokens before it has said a word; much of that tells it
// nothing.
//
// A [Plan] is a list of steps, each with a name. [Plan.Apply] takes the tools of
// a server through them and reports what each step cut. The steps of [Safe], the
// default, leave what a caller needs: markup, echoes and examples beyond the
// first go, and in tools above 16 kB the texts of deep levels. [Lean] cuts every
// text to a sentence and puts deep levels behind a marker. What these hide stands
// in [ir.Tool.Full], which the server checks arguments against and gives on demand.
//
// Read plan.go for the steps in their order, then text.go, large.go and lean.go.
package diet
