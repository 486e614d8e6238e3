import { ERRORS } from '../../src/errors.ts'

const HEAD = `<!-- Printed from src/errors.ts by: npm run check -- --write -->

# Errors

Look up error codes by HTTP status, with its meaning and what to do. All errors use this body; protocol errors on \`/mcp\`
use [JSON-RPC](mcp.md):

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

\`code\` is stable: use it in your program. \`message\` and \`remedy\` are for people and can change. \`param\` names the invalid field, and \`details\`
lists all invalid fields. \`requestId\` is also in the response header \`X-Request-Id\` and in the log.

429 and 503 responses have a \`Retry-After\` header in seconds. You can safely retry after 429 and any 5xx: a request
with a 5xx response has stored nothing. Send an \`Idempotency-Key\` with every POST, so that a retry never repeats
its work. A retry during the first attempt gets 409 \`idempotency_in_progress\` with \`Retry-After\`: the response will
follow, or, if the process of the first attempt died, the key is free again within 40 s.
`

/** `docs/errors.md`: every code with status, message and remedy, sorted by status. */
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

/**
 * Text for a cell of a Markdown table: no bar and no angle bracket that would be taken for a mark.
 */
function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
