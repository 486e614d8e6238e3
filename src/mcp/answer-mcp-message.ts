import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer, type McpServerParts } from './mcp-server.ts'

/** The address is of no account here: the message came to the right place. */
const ANY_URL = 'http://localhost/mcp'

/** The answer to one message of streamable HTTP, in JSON, by a server that lives as long as the message. */
export async function answerMcpMessage(message: object, headers: Headers, parts: McpServerParts): Promise<Response> {
  const server = createMcpServer(parts)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    // Under exact optional types the transport's `sessionId?: string` is another type than its interface has.
    await server.connect(transport as Parameters<typeof server.connect>[0])
    return await transport.handleRequest(new Request(ANY_URL, { method: 'POST', headers }), { parsedBody: message })
  } finally {
    await server.close()
  }
}
