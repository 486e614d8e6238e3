import { ERRORS } from '../../src/errors.ts'

const HEAD = `<!-- Printed from src/errors.ts by: npm run docs -->

# Errors

Every answer that is not a success has this body, whatever the endpoint; only what breaks the rules of the protocol at \`/mcp\` is told in
JSON-RPC, as [that](mcp.md) has it:

\`\`\`json
{
  "error": {
    "code": "validation_failed",
    "message": "query must be a non-empty string",
    "param": "query",
    "details": [{ "param": "query", "message": "must be a non-empty string" }],
    "remedy": "Correct what the message names and send the request again.",
    "requestId": "req_01jd0000000000000000000000"
  }
}
\`\`\`

\`code\` is one of the words below and stays the same from version to version; decide by it. \`message\` and \`remedy\` are
for people and may become clearer. \`param\` names the field that was wrong, \`details\` all of them. \`requestId\` is also
the header \`X-Request-Id\` of the answer and stands in the log of the service.

Answers 429 and 503 carry \`Retry-After\` in seconds. It is safe to send a request again after 429 and any 5xx: a request
that was answered with 5xx has stored nothing. Send an \`Idempotency-Key\` with every POST and a repeat can never do
its work twice. A repeat that is 409 \`idempotency_in_progress\`, with \`Retry-After\` as well, came while its first attempt was at
work: its answer comes, or, where its process died, the key is free again within 40 s.
`

/** `docs/errors.md`: every code with its status, message and remedy, by status. */
export function errorsPage(): string {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, [status]]) => status)
  const sections = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, errors]) => {
      const rows = errors.map(
        ([code, [, message, remedy]]) => `| \`${code}\` | ${inCell(message)} | ${inCell(remedy)} |`,
      )
      return `\n## ${status}\n\n| code | meaning | what to do |\n|---|---|---|\n${rows.join('\n')}\n`
    })
  return HEAD + sections.join('')
}

/** Text for a cell of a Markdown table: no bar and no angle bracket that would be taken for a mark. */
function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
