import type { TObject } from 'typebox'
import { countMetadata } from '../../api/fields.ts'
import type { SentFileFields } from '../../api/ingest.ts'
import { ApiError, invalid } from '../../errors.ts'
import { DOCUMENT_FIELDS, QUERY_BUDGET } from '../../limits.ts'
import { readTime } from '../../services/filters/read-filter.ts'
import type { FileFields } from '../../services/ingest/given-fields.ts'
import type { PageRequest } from '../../services/paging.ts'
import { hasVisibleText } from '../../text/characters.ts'

type ListContext = {
  query: { limit?: number | undefined; cursor?: string | undefined }
  reserveMemory(bytes: number): void
}

/** Reads the page parameters of a list, with a default limit, and reserves memory for the page. */
export function readPageRequest({ query, reserveMemory }: ListContext, defaultLimit: number): PageRequest {
  const { limit = defaultLimit, cursor = null } = query
  reserveMemory(limit * QUERY_BUDGET.itemBytes.plain)
  return { limit, cursor }
}

/** Returns a path parameter unchecked. Services find nothing under a malformed identifier. */
export function pathParameter(
  params: Readonly<Record<string, string>>,
  name: 'id' | 'documentId' | 'sourceId',
): string {
  return params[name] ?? ''
}

type CreationQuery = { createdAfter?: string | undefined; createdBefore?: string | undefined }

/** Reads the times of a list; `null` without one. Throws `validation_failed`. */
export function readCreation({ createdAfter, createdBefore }: CreationQuery) {
  return {
    createdAfter: toTimestamp(createdAfter, 'createdAfter'),
    createdBefore: toTimestamp(createdBefore, 'createdBefore'),
  }
}

function toTimestamp(text: string | undefined, param: string): string | null {
  const timeMs = readTime(text, param)
  return timeMs === null ? null : new Date(timeMs).toISOString()
}

/** Reads a query parameter with a JSON object; `undefined` without one. */
export function readJsonObject(text: string | undefined, param: string): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // The error below names the parameter.
  }
  throw invalid(param, 'must be a JSON object of conditions, such as {"year":{"$gte":2020}}')
}

/** Throws `validation_failed` for a body without any field of the schema. */
export function requireChange(schema: TObject, body: object): void {
  const names = Object.keys(schema.properties)
  if (names.some((name) => Object.hasOwn(body, name))) return
  const message = `The body contains no field to change. Send at least one of ${names.join(', ')}.`
  throw new ApiError('validation_failed', { message, remedy: `Send a JSON object with ${names.join(', ')}.` })
}

/**
 * Reads the fields of the document of a file; `options` takes precedence. An empty title counts as
 * absent. Throws `validation_failed` for too much metadata.
 */
export function readFileFields(beside: SentFileFields, options: SentFileFields): FileFields {
  const { title = '', tags = [], metadata = {}, externalId = null } = { ...beside, ...options }
  requireMetadataLimit(metadata, options.metadata === undefined ? 'metadata' : 'options.metadata')
  return { title: hasVisibleText(title) ? title : null, tags, metadata, externalId }
}

/** The limit of all metadata together is lower than the sum of the limits per field. */
export function requireMetadataLimit(metadata: Readonly<Record<string, unknown>>, param: string): void {
  const most = DOCUMENT_FIELDS.metadataCharactersInAll
  if (countMetadata(metadata) > most)
    throw invalid(param, `must have at most ${most} characters in all names and values together`)
}
