package runtime

import (
	"strings"
	"sync"
	"unicode"
)

// Search compares words, not text: names are split, endings cut off, and words
// that mean the same in the names of operations stand for each other. All of it
// is about English and APIs in general, never about one of them.

// words splits text into words as search compares them.
func words(text string) []string {
	var out []string
	known := english()
	for _, word := range known.phrases(splitWords(text)) {
		if spelled, ok := known.spelled[word]; ok {
			for _, part := range spelled {
				out = append(out, stem(part))
			}
			continue
		}
		if !known.stopWords[word] {
			out = append(out, stem(word))
		}
	}
	return out
}

// splitWords returns the words of text in small letters: runs of letters and
// digits, names also where their capitals begin a word (getHTTPStatus).
func splitWords(text string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(text)
	for i, r := range runes {
		if r == '\'' || r == '’' { // Dependabot's; don't
			if i+1 < len(runes) && runes[i+1] != 's' && unicode.IsLetter(runes[i+1]) {
				continue
			}
			end()
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		if unicode.IsUpper(r) && i > 0 {
			after := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			// The s of "IDs" begins no word.
			plural := after && runes[i+1] == 's' && (i+2 >= len(runes) || !unicode.IsLetter(runes[i+2]))
			if unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && after && !plural {
				end()
			}
		}
		word = append(word, r)
	}
	end()
	return out
}

// phrases puts one word in the place of two that mean it.
func (v *vocabulary) phrases(words []string) []string {
	out := words[:0]
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) {
			if word, ok := v.twoWords[words[i]][words[i+1]]; ok {
				out = append(out, word)
				i++
				continue
			}
		}
		out = append(out, words[i])
	}
	return out
}

// stem cuts off what grammar puts at the end of an English word. Stems need not
// be words: it is enough that "deleting", "deleted" and "deletion" have one.
func stem(word string) string {
	word = singular(word)
	for _, ending := range []string{"ation", "ment", "ing", "ion", "ed"} {
		root, ok := strings.CutSuffix(word, ending)
		if !ok || len(root) < minRoot[ending] || !strings.ContainsAny(root, "aeiouy") {
			continue
		}
		if ending == "ing" || ending == "ed" {
			root = undouble(root)
		}
		word = root
		break
	}
	if root, ok := strings.CutSuffix(word, "e"); ok && len(root) >= 3 {
		return root
	}
	if root, ok := strings.CutSuffix(word, "y"); ok && len(root) >= 3 {
		return root + "i"
	}
	return word
}

// minRoot is what must be left before an ending: "action" is no form of "act" in
// an API, nor "comment" of "com".
var minRoot = map[string]int{"ation": 5, "ment": 5, "ing": 3, "ion": 5, "ed": 3}

func singular(word string) string {
	switch {
	case len(word) < 3 || !strings.HasSuffix(word, "s"):
		return word
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
		return word
	}
	return word[:len(word)-1]
}

// undouble undoes the doubling before an ending: running, run.
func undouble(root string) string {
	n := len(root)
	if n > 3 && root[n-1] == root[n-2] && !strings.ContainsRune("aeiouls", rune(root[n-1])) {
		return root[:n-1]
	}
	return root
}

// vocabulary is what search knows of English. It is made at the first search: a
// server that is not searched must not wait for it.
type vocabulary struct {
	stopWords map[string]bool              // say how something is asked for, not what
	twoWords  map[string]map[string]string // verbs of two words, and the one word for each
	spelled   map[string][]string          // short forms that stand for several words
	synonyms  map[string][]string          // stems that stand for each other
	actions   map[string]bool              // stems that say what is done, not to what
}

var english = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{stopWords: map[string]bool{}, twoWords: map[string]map[string]string{}, spelled: map[string][]string{}, synonyms: synonymsOf(actionGroups + "\n" + thingGroups), actions: map[string]bool{}}
	for word := range strings.FieldsSeq(stopWords) {
		v.stopWords[word] = true
	}
	for word := range strings.FieldsSeq(actionGroups) {
		v.actions[stem(word)] = true
	}
	for line := range strings.Lines(shortFor) {
		short, long, _ := strings.Cut(strings.TrimSpace(line), " = ")
		first, second, two := strings.Cut(short, " ")
		switch {
		case !two:
			v.spelled[short] = strings.Fields(long)
		case v.twoWords[first] == nil:
			v.twoWords[first] = map[string]string{second: long}
		default:
			v.twoWords[first][second] = long
		}
	}
	return v
})

const stopWords = `a an the s of in on at to for from by with within into onto out up off as and or but nor not no
	is are am be been being was were it its this that these those there here their theirs them they he she him her his hers
	you your yours us which what who whom whose how why when where while whether if then than so such just only also
	do does did done can could should would will shall may might must has have had having
	all any some every each many much more most one please want need like let via per over under about between
	use using used endpoint operation api given specified specific`

// shortFor has verbs of two words, and short forms of several.
const shortFor = `turn off = disable
switch off = disable
turn on = enable
switch on = enable
get rid = delete
take away = remove
throw away = delete
look up = search
set up = create
sign in = login
log in = login
sign out = logout
log out = logout
sign up = register
how many = count
how much = amount
how often = count
e mail = email
web hook = webhook
pr = pull request
prs = pull request
mr = merge request
mrs = merge request
pat = personal access token
pats = personal access token
oidc = open id connect
sso = single sign
jit = just time
vm = virtual machine
mfa = two factor
2fa = two factor
todo = task`

// actionGroups and thingGroups are words that mean the same, a group a line: what is
// done, and to what. A word can be in several.
const actionGroups = `get show view read fetch retrieve list see display find describe
search find query lookup filter
create add new make insert register post
delete remove destroy erase drop clear revoke withdraw discard
update edit change modify set patch replace alter configure adjust put manage
start run launch trigger begin execute dispatch
stop cancel abort end halt terminate
enable activate allow permit grant
disable deactivate forbid deny
send post submit publish
upload attach import
download export
approve accept confirm
reject decline dismiss refuse deny
move transfer migrate
copy clone duplicate
check verify test validate
block ban suspend
close resolve finish complete
restrict limit restriction
lock freeze
subscribe follow watch subscription
unsubscribe unfollow mute
assign assignee assignment
join membership
leave exit
merge combine join
restore recover undo
archive store`

const thingGroups = `repository repo
organization organisation org company
application app
configuration config setting preference option
environment env
directory dir folder
document doc documentation
identifier id
information info detail
message msg
image img picture photo
package pkg
variable var
database db
reference ref
parameter param
administrator admin
authentication auth authorization login
specification spec
description desc
user person people account someone member profile
member membership belong participant
me i my mine authenticated current self own
customer client
price cost fee charge
invoice bill
order purchase buy
payment pay charge
count number total amount quantity
usage consumption statistic stat metric analytic
permission access right privilege
credential secret key
email mail
phone telephone
error failure problem
event activity
job task
comment note remark
label tag
kind type category
date day
history log audit
status state
file attachment
picture avatar
group team
key secret
rule policy ruleset
alert warning notification
page site
meeting appointment event`

// synonymsOf maps the stem of each word to the other stems of its groups.
func synonymsOf(groups string) map[string][]string {
	out := map[string][]string{}
	for group := range strings.Lines(groups) {
		list := strings.Fields(group)
		for _, word := range list {
			for _, other := range list {
				if a, b := stem(word), stem(other); a != b {
					out[a] = append(out[a], b)
				}
			}
		}
	}
	return out
}
