import type { Operations } from './operations.ts'
import { PATHS } from './paths.ts'
import { type RequestOptions, sendRequest, type Transport } from './send-request.ts'

/** Input of an operation: path parameters, query and body, as far as it has them. */
export type Input<Name extends keyof Operations> = Omit<Operations[Name], 'answer' | 'query'> &
  Partial<Pick<Operations[Name], Extract<'query', keyof Operations[Name]>>>

/** Options of every call. */
export type CallOptions = { signal?: AbortSignal | undefined }

/** Result of an operation. */
export type Answer<Name extends keyof Operations> = Operations[Name]['answer']

/** Body of an operation. */
export type BodyOf<Name extends keyof Operations> = Operations[Name] extends { body: infer Body } ? Body : never

/** Query of an operation. */
export type QueryOf<Name extends keyof Operations> = Operations[Name] extends { query: infer Query } ? Query : never

type SendOptions = CallOptions & Partial<Pick<RequestOptions, 'headers' | 'makeBody' | 'repeatable'>>

/**
 * Sends the request of an operation. Resolves with parsed JSON, with `null` for 204, and with the
 * response itself for a file or stream. Rejects like {@link sendRequest}.
 */
export type Call = <Name extends keyof Operations>(
  name: Name,
  input: Input<Name>,
  options?: SendOptions,
) => Promise<Answer<Name>>

/** Sends the request of an operation and resolves with the response. */
export type Send = <Name extends keyof Operations>(
  name: Name,
  input: Input<Name>,
  options?: SendOptions,
) => Promise<Response>

/** Binds the operations of a service to a transport. */
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
