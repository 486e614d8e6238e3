/**
 * Documents as resources of the protocol, which people attach to a conversation:
 * `recollect://memories/mem_…/documents/doc_…`, with the extracted text.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ErrorCode,
  ListResourcesRequestSchema,
  type ListResourcesResult,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { MemoryDocument } from '../client/resources.ts'
import { isId } from '../ids.ts'
import { listMemories, type NamedMemory } from './require-memory.ts'
import type { ToolContext } from './tool.ts'
import { readSlice } from './tools/read-passage-tool.ts'
import { oneLine } from './write-text.ts'

const PAGE_DOCUMENTS = 50
/** Some 50,000 tokens of English: a longer text fits into few models. */
const MAX_CHARACTERS = 200_000
/** Code of the protocol for an unknown resource (2025-06-18, "Resources"). */
const RESOURCE_NOT_FOUND = -32_002
const URI = /^recollect:\/\/memories\/(mem_\w+)\/documents\/(doc_\w+)$/

type ResourcesDeps = Pick<ToolContext, 'call'> & {
  /** The message of an error of an operation, which is safe to show. */
  describe(error: unknown): string
}

/** Adds the requests for resources to a server. */
export function addResources(server: Server, { call, describe }: ResourcesDeps): void {
  const answering = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof McpError ? error : new McpError(RESOURCE_NOT_FOUND, describe(error))
    }
  }
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
    answering(() => listResources({ call, signal }, params?.cursor)),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: 'recollect://memories/{memoryId}/documents/{documentId}',
        name: 'document',
        title: 'Document of a memory',
        description: 'Extracted text of a document. The ids come from find, ask and list_documents.',
        mimeType: 'text/plain',
      },
    ],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    answering(() => readResource({ call, signal }, params.uri)),
  )
}

/** The next memory and page of documents. */
type Position = { memory: NamedMemory; cursor: string | null }

/** A page of documents, memory by memory. Empty memories have none. */
async function listResources(context: ToolContext, cursor: string | undefined): Promise<ListResourcesResult> {
  const memories = await listMemories(context)
  let at = cursor === undefined ? firstOf(memories) : readCursor(memories, cursor)
  while (at !== null) {
    const { memory } = at
    const query = { limit: PAGE_DOCUMENTS, ...(at.cursor === null ? {} : { cursor: at.cursor }) }
    const page = await context.call('listDocuments', { path: { id: memory.id }, query }, { signal: context.signal })
    const { nextCursor } = page
    const rest = memories.slice(memories.indexOf(memory) + 1)
    at = nextCursor === null ? firstOf(rest) : { memory, cursor: nextCursor }
    const resources = page.documents.filter(isReadable).map((document) => toResource(memory, document))
    if (resources.length > 0) return at === null ? { resources } : { resources, nextCursor: writeCursor(at) }
  }
  return { resources: [] }
}

function firstOf([memory]: readonly NamedMemory[]): Position | null {
  return memory === undefined ? null : { memory, cursor: null }
}

function writeCursor({ memory, cursor }: Position): string {
  return `${memory.id} ${cursor ?? ''}`.trimEnd()
}

function readCursor(memories: readonly NamedMemory[], text: string): Position {
  const [id, cursor = null] = text.split(' ')
  const memory = memories.find((each) => each.id === id)
  if (memory === undefined) throw new McpError(ErrorCode.InvalidParams, 'The cursor is not valid: list from the start.')
  return { memory, cursor }
}

function isReadable({ status }: MemoryDocument): boolean {
  return status === 'ready' || status === 'partial'
}

function toResource(memory: NamedMemory, { id, title, updatedAt }: MemoryDocument) {
  return {
    uri: `recollect://memories/${memory.id}/documents/${id}`,
    name: id,
    title: oneLine(title),
    description: `Document of the memory ${JSON.stringify(oneLine(memory.name))}.`,
    mimeType: 'text/plain',
    annotations: { lastModified: updatedAt },
  }
}

async function readResource({ call, signal }: ToolContext, uri: string): Promise<ReadResourceResult> {
  const [, id = '', documentId = ''] = URI.exec(uri) ?? []
  if (!isId('mem', id) || !isId('doc', documentId)) {
    const form = 'recollect://memories/{memoryId}/documents/{documentId}'
    throw new McpError(RESOURCE_NOT_FOUND, `There is no resource ${uri.slice(0, 200)}. A URI has the form ${form}.`)
  }
  const path = { id, documentId }
  const { characterCount } = await call('getDocument', { path }, { signal })
  const text = await readSlice(await call('getDocumentText', { path }, { signal }), 0, MAX_CHARACTERS)
  const isCut = characterCount > text.length
  const note = `\n\n[To read the rest, call read_passage with startOffset ${text.length}.]`
  return { contents: [{ uri, mimeType: 'text/plain', text: isCut ? text + note : text }] }
}
