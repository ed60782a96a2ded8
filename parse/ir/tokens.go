package ir

// Tokens estimates how many tokens of a model's context the JSON text takes.
func Tokens(json []byte) int { return len(json) / 4 }
