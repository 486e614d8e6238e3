import { IDS } from '../../api/story.ts'
import { ErrorSchema } from '../../api/values.ts'
import { ApiError, ERRORS, type ErrorCode } from '../../errors.ts'
import { errorAnswer } from '../answers/error-answer.ts'
import { EXAMPLES } from '../examples/operations.ts'
import { isRepeatable, type Route } from '../route.ts'
import { describeMedia } from './describe-media.ts'
import type { Json, SchemaComponents } from './schema-components.ts'

/** RFC 9110, sections 15.3.5 and 15.4.5. */
const HAVE_NO_BODY = ['204', '304']

/** The answers that a route names, by status. */
export function describeAnswers({ operationId, answers }: Route, components: SchemaComponents): Json {
  const example = EXAMPLES[operationId]
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, contentType, events }]) => {
      const shown = schema === undefined ? errorOrText(status, components) : components.refer(schema)
      const content: Json = {
        [contentType ?? 'application/json']: describeMedia(
          shown,
          example?.answers?.[Number(status)] ?? orRefused(status),
        ),
      }
      if (events !== undefined) {
        content['text/event-stream'] = describeMedia({ type: 'string', description: events }, example?.events)
      }
      return [status, HAVE_NO_BODY.includes(status) ? { description } : { description, content }]
    }),
  )
}

function errorOrText(status: string, components: SchemaComponents): Json {
  return Number(status) >= 400 ? components.refer(ErrorSchema) : { type: 'string' }
}

/** The errors of a route that it does not describe itself, by status: those it names, and those of every route of its kind. */
export function describeErrors(route: Route, components: SchemaComponents): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...impliedErrors(route), ...route.errors])) {
    const [status] = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const schema = components.refer(ErrorSchema)
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => route.answers[status] === undefined)
      .sort(([one], [other]) => one - other)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n'),
          content: { 'application/json': { schema, example: exampleOf(codes) } },
        },
      ]),
  )
}

/** An error that a route describes itself has no code of its own. */
function orRefused(status: string): Json | undefined {
  return Number(status) >= 400 ? exampleOf(['validation_failed']) : undefined
}

/** The body of the first of these codes, as it comes where nothing more is known. */
function exampleOf([code]: readonly ErrorCode[]): Json | undefined {
  return code === undefined ? undefined : (errorAnswer(new ApiError(code), IDS.request).body as Json)
}

/** What a route can answer by its kind alone. */
function impliedErrors(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['validation_failed', 'internal_error', 'service_unavailable', 'request_timeout']
  if (route.access !== 'public') codes.push('missing_api_key', 'invalid_api_key', 'rate_limited')
  if (route.access === 'organization' || route.access === 'installation') codes.push('scope_forbidden')
  if (route.maxBodyBytes !== undefined) {
    codes.push('malformed_json', 'content_type_mismatch', 'body_too_large', 'unsupported_media_type')
  }
  if (isRepeatable(route)) codes.push('idempotency_in_progress', 'idempotency_key_reused')
  return codes
}
