package schema

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// What a member of a class is that no range can begin with or whose place in one
// is not worked out.
const (
	noMember rune = -1 - iota
	aSet          // \d, \p{L}
	escaped       // \t, \0, \cA
)

// class reads what follows [.
func (s *patternScanner) class() {
	s.out.WriteByte('[')
	if s.next("^") {
		s.out.WriteByte('^')
	}
	start, from := s.at, noMember
	for s.at < len(s.in) && s.err == nil {
		r := s.in[s.at]
		s.at++
		switch {
		case r == ']':
			s.empty = s.empty || s.at == start+1
			s.write("]", true)
			return
		case r == '[' && s.posix():
			s.fail("classes such as [:alpha:]")
		case r == '-' && from != noMember && s.at < len(s.in) && s.in[s.at] != ']':
			s.rangeFrom(from)
			from = noMember
		default:
			from = s.member(r)
		}
	}
	s.fail("a class that is not closed")
}

// posix reports whether [:alpha:] or the like stands here.
func (s *patternScanner) posix() bool {
	if s.at == len(s.in) || !strings.ContainsRune(":.=", s.in[s.at]) {
		return false
	}
	near := string(s.in[s.at+1 : min(len(s.in), s.at+16)])
	return strings.Contains(near, string(s.in[s.at])+"]")
}

// rangeFrom reads the hyphen and the second end of a range. Where one of its ends
// is a set, all but the flag u take the hyphen for itself.
func (s *patternScanner) rangeFrom(from rune) {
	next := s.in[s.at]
	toSet := next == '\\' && s.at+1 < len(s.in) && strings.ContainsRune("dDsSwWpP", s.in[s.at+1])
	if from == aSet || toSet {
		s.out.WriteString(`\-`)
		return
	}
	s.out.WriteByte('-')
	s.at++
	if to := s.member(next); from >= 0 && 0 <= to && to < from {
		s.fail("the range %c-%c", from, to)
	}
}

// member writes the member of a class that begins with r.
func (s *patternScanner) member(r rune) rune {
	if r != '\\' {
		s.out.WriteRune(r)
		return r
	}
	set := s.at < len(s.in) && strings.ContainsRune("dDsSwWpP", s.in[s.at])
	start := s.out.Len()
	s.escape(true)
	written := s.out.String()[start:]
	switch last, _ := utf8.DecodeLastRuneInString(written); {
	case set:
		return aSet
	case strings.HasPrefix(written, `\x`), strings.HasPrefix(written, `\u`):
		number, _ := strconv.ParseUint(strings.Trim(written[2:], "{}"), 16, 32)
		if !utf16.IsSurrogate(rune(number)) { // else one of two halves
			return rune(number)
		}
	case written != "" && !isASCIILetter(last) && last != '0':
		return last
	}
	return escaped
}

// escape reads what follows \.
func (s *patternScanner) escape(inClass bool) {
	if s.at == len(s.in) {
		s.fail(`\ at the end`)
		return
	}
	r := s.in[s.at]
	s.at++
	switch {
	case strings.ContainsRune(`^$\.*+?()[]{}|/dDsSwWtnvfr`, r), inClass && strings.ContainsRune("-b", r):
		s.write(`\`+string(r), true)
	case r == 'a':
		s.write(`\x07`, true)
	case r == 'e':
		s.write(`\x1b`, true)
	case r == 'p' || r == 'P':
		s.property(r)
	case r == 'x' || r == 'u':
		s.codePoint(r)
	case r == 'c' && s.at < len(s.in) && isASCIILetter(s.in[s.at]):
		s.at++
		s.write(`\c`+string(s.in[s.at-1]), true)
	case r == '0' && (s.at == len(s.in) || !unicode.IsDigit(s.in[s.at])):
		s.write(`\0`, true)
	case isASCIILetter(r) || '0' <= r && r <= '9':
		if inClass || !s.outside(r) {
			s.fail(`\%c`, r)
		}
	default: // needs no escape
		s.write(string(r), true)
	}
}

// outside reads an escape that stands only outside of classes.
func (s *patternScanner) outside(r rune) bool {
	switch {
	case r == 'b' || r == 'B':
		s.write(`\`+string(r), false)
	case r == 'A':
		s.write("^", false)
	case r == 'z' || r == 'Z':
		s.write("$", false)
	case r == 'k' && s.next("<"):
		name, _ := s.until('>')
		s.referred = append(s.referred, name)
		s.write(`\k<`+name+">", true)
	case '1' <= r && r <= '9':
		start := s.at - 1
		for s.at < len(s.in) && '0' <= s.in[s.at] && s.in[s.at] <= '9' {
			s.at++
		}
		number, err := strconv.Atoi(string(s.in[start:s.at]))
		if err != nil {
			return false
		}
		s.highest = max(s.highest, number)
		s.write(`\`+string(s.in[start:s.at]), true)
	default:
		return false
	}
	return true
}

func isASCIILetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// codePoint reads the digits of \x and \u.
func (s *patternScanner) codePoint(kind rune) {
	braces := s.next("{")
	digits := ""
	if braces {
		digits, _ = s.until('}')
	} else {
		size := min(len(s.in)-s.at, map[rune]int{'x': 2, 'u': 4}[kind])
		digits = string(s.in[s.at : s.at+size])
		s.at += size
	}
	number, err := strconv.ParseUint(digits, 16, 32)
	switch short := len(digits) < map[rune]int{'x': 2, 'u': 4}[kind]; {
	case err != nil || number > unicode.MaxRune || short && !braces:
		s.fail(`\%c%s`, kind, digits)
	case braces:
		s.write(`\u{`+digits+"}", true)
	default:
		s.write(`\`+string(kind)+digits, true)
	}
}

// binaryProperties are the character properties that are true or not (table 69),
// and their short names.
var binaryProperties = words(`ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C
	Bidi_Mirrored Bidi_M Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM
	Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF Changes_When_Titlecased CWT
	Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji
	Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation EPres
	Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext Hex_Digit Hex
	IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control
	Join_C Logical_Order_Exception LOE Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn
	Pattern_White_Space Pat_WS Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal STerm
	Soft_Dotted SD Terminal_Punctuation Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS
	White_Space space XID_Continue XIDC XID_Start XIDS`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// shortScript is what the short name of a script looks like: Latn.
var shortScript = regexp.MustCompile(`^[A-Z][a-z]{3}$`)

func isCategory(name string) bool {
	return unicode.Categories[name] != nil || unicode.CategoryAliases[name] != ""
}

// property reads what follows \p and \P.
func (s *patternScanner) property(kind rune) {
	name := ""
	if s.next("{") {
		name, _ = s.until('}')
	} else if s.at < len(s.in) {
		name = string(s.in[s.at])
		s.at++
	}
	key, value, _ := strings.Cut(name, "=")
	known := false
	switch key {
	case "gc", "General_Category":
		known = isCategory(value)
	case "sc", "Script", "scx", "Script_Extensions":
		known = unicode.Scripts[value] != nil || shortScript.MatchString(value)
	default:
		known = isCategory(name) || binaryProperties[name]
		if !known && unicode.Scripts[name] != nil {
			name, known = "Script="+name, true
		}
	}
	if !known {
		s.fail(`\%c{%s}`, kind, name)
		return
	}
	s.write(`\`+string(kind)+"{"+name+"}", true)
}
