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

/** The body that an operation takes. */
export type BodyOf<Name extends keyof Operations> = Operations[Name] extends { body: infer Body } ? Body : never

/** The query that an operation takes. */
export type QueryOf<Name extends keyof Operations> = Operations[Name] extends { query: infer Query } ? Query : never

type SendOptions = CallOptions & Partial<Pick<Sending, 'headers' | 'makeBody' | 'repeatable'>>

/** Sends a request of an operation and gives its answer: JSON parsed, `null` for 204, the response itself of a file or a stream. Rejects as {@link sendRequest}. */
export type Call = <Name extends keyof Operations>(
  name: Name,
  input: Input<Name>,
  options?: SendOptions,
) => Promise<Answer<Name>>

/** The same, with the answer as it came. */
export type Send = <Name extends keyof Operations>(
  name: Name,
  input: Input<Name>,
  options?: SendOptions,
) => Promise<Response>

/** The operations of one service. */
export function bindOperations(transport: Transport): { call: Call; send: Send } {
  const send: Send = (name, input, { headers, ...options } = {}) => {
    const { path = {}, query = {}, body } = input as AnyInput
    const [method, template] = PATHS[name]
    return sendRequest(transport, {
      method,
      path: fillPath(template, path) + toQuery(query),
      makeBody: body === undefined ? null : () => JSON.stringify(body),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...options,
    })
  }
  const call: Call = async <Name extends keyof Operations>(
    name: Name,
    input: Input<Name>,
    options: SendOptions = {},
  ) => {
    const answer = await send(name, input, options)
    if (answer.status === 204) return null as Answer<Name>
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
    return (isJson ? await answer.json() : answer) as Answer<Name>
  }
  return { call, send }
}

type AnyInput = { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function toQuery(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string]))}`
}
