// Lists and calls tools with one of the TypeScript SDKs:
//
//   node clients.mjs sdk|client TOOL ARGUMENTS URL
//   node clients.mjs sdk|client TOOL ARGUMENTS COMMAND [ARGUMENT...]
//
// It prints what it saw as one JSON object.
const [kind, tool, args, target, ...rest] = process.argv.slice(2)

const load = {
	async sdk() {
		const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
		const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
		const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
		return { Client, StdioClientTransport, StreamableHTTPClientTransport }
	},
	async client() {
		const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
		const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
		return { Client, StdioClientTransport, StreamableHTTPClientTransport }
	},
}

const { Client, StdioClientTransport, StreamableHTTPClientTransport } = await load[kind]()
const transport = target.startsWith('http:')
	? new StreamableHTTPClientTransport(new URL(target))
	: new StdioClientTransport({ command: target, args: rest, env: process.env, stderr: 'inherit' })
// Without the option the newer client speaks 2025-11-25; the older one ignores it.
const client = new Client({ name: 'clients', version: '1' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(transport)
const { tools } = await client.listTools()
const result = await client.callTool({ name: tool, arguments: JSON.parse(args) })
let unknown = ''
try {
	await client.callTool({ name: 'there_is_no_such_tool', arguments: {} })
} catch (error) {
	unknown = `${error.code} ${error}`
}
console.log(JSON.stringify({ tools: tools.map((t) => t.name), result, unknown }))
await client.close()
