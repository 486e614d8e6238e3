/**
 * A real HTTP server on loopback with the protocols of OpenAI (chat completions, embeddings),
 * Anthropic (messages), Google (generateContent) and rerankers. Tests script its misbehaviour.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Behaviour, play } from './behaviour.ts'
import { type Dialect, findDialect } from './dialects.ts'
import { scoreText, toVector } from './word-vector.ts'

/** The request fields that tests read; every field may be absent. */
type RequestBody = {
  model?: string
  stream?: boolean
  temperature?: number
  max_tokens?: number
  max_completion_tokens?: number
  messages?: { role: string; content: unknown }[]
  response_format?: { type: string; json_schema?: { schema: unknown } }
  tools?: { name: string }[]
  input?: string | string[]
  query?: string
  documents?: string[]
  top_n?: number
  generationConfig?: Record<string, unknown>
}

/** A received request. */
export type RecordedRequest = {
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: RequestBody
  /** All texts of the prompt, system and user, in order, with line ends between. */
  prompt: string
  /** Resolves at the end: with a complete answer, or when client or server left early. */
  ended: Promise<'answered' | 'left'>
}

/** Builds the answer where nothing else is scripted. */
type Responder = (request: RecordedRequest) => string

export type ModelServer = {
  /**
   * The base URL of the OpenAI protocol. Anthropic uses the same URL, Google's ends in `/v1beta`.
   */
  url: string
  googleUrl: string
  /** The received requests, oldest first. */
  requests: RecordedRequest[]
  /**
   * Behaviours for the next requests, one each, in place of earlier scripts. Later requests get
   * normal answers.
   */
  script(...behaviours: Behaviour[]): void
  /** Resolves with the next request. */
  nextRequest(): Promise<RecordedRequest>
  /** The text of proper answers; `Yes.` at first. */
  respond(responder: Responder): void
  /** Sets the length of the vectors; the default is 16. */
  setDimensions(dimensions: number): void
  /** The number of requests neither answered nor abandoned. */
  openRequests(): number
  close(): Promise<void>
}

/** Starts a server on a free port. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: RecordedRequest[] = []
  const scripted: Behaviour[] = []
  const waiting: ((request: RecordedRequest) => void)[] = []
  const state = { open: 0, dimensions: 16, responder: (() => 'Yes.') as Responder }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    state.open += 1
    const ended = new Promise<'answered' | 'left'>((resolve) => {
      response.on('close', () => {
        state.open -= 1
        resolve(response.writableFinished ? 'answered' : 'left')
      })
    })
    response.on('error', () => undefined)
    const path = (incoming.url ?? '').replace(/\?.*$/, '')
    const body = await readBody(incoming)
    const dialect = findDialect(path)
    const request = { path, headers: incoming.headers, body, prompt: dialect?.readPrompt(body) ?? '', ended }
    requests.push(request)
    for (const take of waiting.splice(0)) take(request)
    const behaviour = incoming.method === 'GET' ? undefined : scripted.shift()
    await play(behaviour ?? {}, { request, response, dialect, whole: (text) => toBody(request, text, dialect) }, () =>
      state.responder(request),
    )
  }

  function toBody(request: RecordedRequest, text: string, dialect: Dialect | null): unknown {
    if (dialect !== null) return dialect.toBody(text, request)
    if (request.path.endsWith('/embeddings')) {
      const input = [request.body.input ?? []].flat()
      const data = input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: toVector(text, state.dimensions),
      }))
      return { object: 'list', data, model: request.body.model, usage: { prompt_tokens: 1, total_tokens: 1 } }
    }
    if (request.path.endsWith('/rerank')) {
      const { query = '', documents = [] } = request.body
      const results = documents.map((text, index) => ({ index, relevance_score: scoreText(query, text) }))
      return { results: results.sort((a, b) => b.relevance_score - a.relevance_score) }
    }
    return { object: 'list', data: [{ id: 'the-model', object: 'model' }] }
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    googleUrl: `http://127.0.0.1:${port}/v1beta`,
    requests,
    script: (...behaviours) => void scripted.splice(0, scripted.length, ...behaviours),
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    respond: (responder) => {
      state.responder = responder
    },
    setDimensions: (dimensions) => {
      state.dimensions = dimensions
    },
    openRequests: () => state.open,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(incoming: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as RequestBody)
}
