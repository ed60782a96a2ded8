package prose

import "testing"

func TestVisible(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing to do", "Größe\tin cm\nund é 日本", "Größe\tin cm\nund é 日本"},
		{"direction", "delete \u202eteg\u202c \u2066x\u2069 \u200e\u200f\u061c", "delete teg x "},
		{"zero width", "a\u200bb\ufeffc\u2060d\u00ade", "abcde"},
		{"tags", "ok\U000e0001\U000e0068\U000e0069", "ok"},
		{"interlinear", "a\ufff9b\ufffac\ufffb", "abc"},
		{"control", "a\x00b\x1b[31mc\x7f\u0085\u009b", "ab[31mc"},
		{"line ends", "a\r\nb\rc\n", "a\nb\nc\n"},
		{"joiners in ASCII", "pass\u200dword \u200c", "password "},
		{"joiners at an end", "é\u200d", "é"},
		{"joiners in a row", "é\u200d\u200c\u200dé", "é\u200dé"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"a family", "👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"},
		{"number sign", "\u06dd12", "\u06dd12"},
		{"not UTF-8", "a\xffb\u200b", "a\ufffdb"},
	} {
		if got := Visible(tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for in, want := range map[string]string{
		"\u202e **Get** a pet \u200b":              "Get a pet",
		"<b>Get</b> &#x202e;a&ZeroWidthSpace; pet": "Get a pet",
	} {
		if got := Plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
