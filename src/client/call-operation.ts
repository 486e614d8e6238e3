import type { Operations } from './operations.ts'
import { PATHS } from './paths.ts'
import { type Sending, sendRequest, type Transport } from './send-request.ts'

/** What an operation takes: its path parameters, its query and its body, as far as it has them. */
export type Input<Name extends keyof Operations> = Omit<Operations[Name], 'answer' | 'query'> &
  Partial<Pick<Operations[Name], Extract<'query', keyof Operations[Name]>>>

/** What can be given beside it. */
export type CallOptions = { signal?: AbortSignal | undefined }

/** What an operation gives. */
export type Answer<Name extends keyof Operations> = Operations[Name]['answer']

type Given = { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

/** Sends a request of this operation and gives its answer: JSON parsed, `null` for 204, the response itself of a file or a stream. Rejects as {@link sendRequest}. */
export async function callOperation<Name extends keyof Operations>(
  transport: Transport,
  name: Name,
  input: Input<Name>,
  { signal, ...more }: CallOptions & Partial<Pick<Sending, 'headers' | 'makeBody' | 'repeatable'>> = {},
): Promise<Answer<Name>> {
  const answer = await sendOperation(transport, name, input, { signal, ...more })
  if (answer.status === 204) return null as Answer<Name>
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  return (isJson ? await answer.json() : answer) as Answer<Name>
}

/** The same, as it came. */
export async function sendOperation<Name extends keyof Operations>(
  transport: Transport,
  name: Name,
  input: Input<Name>,
  { headers, ...more }: CallOptions & Partial<Pick<Sending, 'headers' | 'makeBody' | 'repeatable'>> = {},
): Promise<Response> {
  const { path = {}, query = {}, body } = input as Given
  const [method, template] = PATHS[name]
  return sendRequest(transport, {
    method,
    path: fillPath(template, path) + toQuery(query),
    makeBody: body === undefined ? null : () => JSON.stringify(body),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...more,
  })
}

function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function toQuery(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string]))}`
}
