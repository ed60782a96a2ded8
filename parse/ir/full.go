package ir

// WholeSchema is the last line of the description of a tool that has a [Tool.Full]:
// where clients read it. The name is the tool's final one.
func WholeSchema(tool string) string { return "The whole schema: schema://" + tool }
