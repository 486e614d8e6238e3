import type { Kysely } from 'kysely'
import type { ExtractAnswer, ExtractedField, FieldSource } from '../../api/extract.ts'
import type { HitResource } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError, invalid } from '../../errors.ts'
import type { Field, Finding, Passage } from '../../extraction/field.ts'
import { EXTRACTION } from '../../limits.ts'
import { escapeHtml } from '../../text/escape-html.ts'
import type { Caller } from '../caller.ts'
import { getOwnTitle } from '../documents/document-resource.ts'
import type { DocumentFilter } from '../filters/read-filter.ts'
import { locatePages, type PageLocator } from '../search/locate-pages.ts'
import type { SearchedMemory, SearchService } from '../search/search.ts'
import { openMemory } from '../search/search-service.ts'
import type { FieldReader, FieldToRead } from './field-reader.ts'

/** Dependencies of the extraction service. */
export type ExtractDeps = {
  db: Kysely<Tables>
  search: Pick<SearchService, 'find'>
  /** Reads the values with the configured language model, or by rules by default. */
  reader: FieldReader
}

/**
 * Concurrent searches per call: each runs two queries of the memory file, and a query uses every
 * core.
 */
const MAX_CONCURRENT_FIELDS = 4

/**
 * Fills schemas: each field has its own retrieval, and its value is a span in a retrieved passage.
 */
export function createExtractService({ db, search, reader }: ExtractDeps): ExtractService {
  return {
    async extract(caller, memoryId, request) {
      validateSchema(request)
      const searched = await openMemory(db, caller, memoryId)
      const { context, filter = null, signal } = request
      const asking = { searched, context, filter, signal }
      const asked = await mapConcurrent(listFields(request), MAX_CONCURRENT_FIELDS, (field) =>
        retrieveField(search, asking, field),
      )
      requireSomeSearched(asked)
      const { model, findings, warnings } = await reader.read(asked, searched.languages, signal)
      const cited = asked.flatMap(({ hits }, index) => hits[findings[index]?.passage ?? -1] ?? [])
      const pageOf = await locatePages(db, [memoryId], cited)
      const fields = asked.map(({ schema, hits }, index) =>
        describeField(schema, findings[index] ?? null, { hits, pageOf }),
      )
      const failures = asked.flatMap(({ failure }) => (failure === null ? [] : [failure.warning]))
      return describeAnswer(memoryId, request, {
        fields,
        model,
        warnings: [...dedupeWarnings(asked), ...failures, ...warnings],
      })
    },
  }
}

type FieldSearch = { searched: SearchedMemory; filter: DocumentFilter | null; signal: AbortSignal }
type RetrievalContext = FieldSearch & { context: string | null }
type SchemaPlace = { schema: SchemaField; sectionName: string; param: string }
type AskedField = FieldToRead & {
  schema: SchemaField
  hits: readonly HitResource[]
  /** Warnings of the field's searches. */
  warnings: readonly Warning[]
  /** Error of the retrieval; `null` if the search succeeded. */
  failure: { warning: Warning; error: ApiError } | null
}

function listFields({ sections }: ExtractRequest): SchemaPlace[] {
  return sections.flatMap(({ name, fields }, place) =>
    fields.map((schema, index) => ({ schema, sectionName: name, param: `sections[${place}].fields[${index}]` })),
  )
}

async function retrieveField(
  search: ExtractDeps['search'],
  { context, ...asking }: RetrievalContext,
  { schema, sectionName, param }: SchemaPlace,
): Promise<AskedField> {
  const field = { ...schema, sectionName, context }
  try {
    const { hits, warnings } = await retrievePassages(search, asking, field)
    return { schema, field, param, hits, warnings, passages: hits.map(toPassage), failure: null }
  } catch (error) {
    // The abort reason may also be an `ApiError`.
    asking.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    const message = `The search for this field failed: ${error.message}`
    const failure = { warning: { code: 'field_not_searched', message, param }, error }
    return { schema, field, param, hits: [], warnings: [], passages: [], failure }
  }
}

/**
 * Warnings of the searches, without duplicates by code. Warnings about the service come first; a
 * warning about a field's words names the field.
 */
function dedupeWarnings(asked: readonly AskedField[]): Warning[] {
  const all = asked.flatMap(({ warnings, param }) =>
    warnings.map((warning) => (warning.param === null ? warning : { ...warning, param })),
  )
  const ofService = all.filter(({ param }) => param === null)
  const byCode = new Map<string, Warning>()
  for (const warning of [...ofService, ...all]) if (!byCode.has(warning.code)) byCode.set(warning.code, warning)
  return [...byCode.values()]
}

/** A single failed search leaves a gap; if all searches fail, the service is the cause. */
function requireSomeSearched(asked: readonly AskedField[]): void {
  const [first] = asked
  if (first?.failure && asked.every(({ failure }) => failure !== null)) throw first.failure.error
}

function describeAnswer(
  memoryId: string,
  request: ExtractRequest,
  {
    fields,
    ...rest
  }: Pick<ExtractAnswer, 'model' | 'warnings'> & { fields: ExtractAnswer['sections'][number]['fields'] },
): ExtractAnswer {
  const waiting = [...fields]
  const sections = request.sections.map(({ id, name, fields }) => ({
    id,
    name,
    fields: waiting.splice(0, fields.length),
  }))
  // `fromEntries` preserves a section or key named `__proto__`.
  const values = Object.fromEntries(
    sections.map(({ id, fields }) => [id, Object.fromEntries(fields.map(({ key, value }) => [key, value]))]),
  )
  const fieldsFound = fields.filter(({ found }) => found).length
  return { memoryId, values, sections, fieldsTotal: fields.length, fieldsFound, ...rest }
}

/** `dataType` is the hint from the request; `null` without a hint. */
type SchemaField = { key: string; label: string; dataType: string | null }

/** Schema to fill. */
export type ExtractRequest = {
  /** Ids are unique, and keys are unique in their section. */
  sections: readonly { id: string; name: string; fields: readonly SchemaField[] }[]
  context: string | null
  /** Documents to extract from. */
  filter?: DocumentFilter | null
}

/** Fills schemas from a memory. */
export type ExtractService = {
  /**
   * Fills a schema from a memory. A field whose retrieval fails is reported as not found, with a
   * warning; the call fails only if all retrievals fail. Rejects with `memory_not_found`, and with
   * `validation_failed` for duplicate ids or keys.
   */
  extract(caller: Caller, memoryId: string, request: ExtractRequest & { signal: AbortSignal }): Promise<ExtractAnswer>
}

/** Context on each side of a value. */
const SNIPPET_CHARACTERS = 100

/** Converts a finding for the response; `hits` are the passages of the field. */
function describeField(
  { key, label, dataType }: SchemaField,
  finding: Finding | null,
  { hits, pageOf }: { hits: readonly HitResource[]; pageOf: PageLocator },
): ExtractedField {
  const named = { key, label, data_type: dataType }
  const hit = hits[finding?.passage ?? -1]
  if (finding === null || hit === undefined) {
    return { ...named, found: false, value: null, rawValue: null, confidence: 0, sources: [] }
  }
  const { value, rawValue, confidence } = finding
  return { ...named, found: true, value, rawValue, confidence, sources: [toFieldSource(finding, hit, pageOf)] }
}

function toFieldSource({ start, end }: Finding, hit: HitResource, pageOf: PageLocator): FieldSource {
  const { documentId, chunkId, title, startOffset } = hit
  const page = pageOf(hit, start)
  const snippet = snippetAround(hit.text, start, end)
  return { documentId, chunkId, title, page, snippet, startOffset: startOffset + start, endOffset: startOffset + end }
}

/** The value with its context, cut at word boundaries. */
function snippetAround(text: string, start: number, end: number): string {
  const from = Math.max(0, start - SNIPPET_CHARACTERS)
  const until = Math.min(text.length, end + SNIPPET_CHARACTERS)
  const before = from === 0 ? text.slice(0, start) : text.slice(from, start).replace(/^\S*\s/, '')
  const after = until === text.length ? text.slice(end) : text.slice(end, until).replace(/\s\S*$/, '')
  return escapeHtml(`${before}${text.slice(start, end)}${after}`.replaceAll(/\s+/g, ' ').trim().toWellFormed())
}

/**
 * Throws `validation_failed` for too many fields and for duplicate ids or keys, naming the second
 * occurrence.
 */
export function validateSchema({ sections }: Pick<ExtractRequest, 'sections'>): void {
  const fields = sections.reduce((sum, section) => sum + section.fields.length, 0)
  if (fields > EXTRACTION.fields) throw invalid('sections', `must have at most ${EXTRACTION.fields} fields together`)
  const ids = new Set<string>()
  for (const [place, { id, fields }] of sections.entries()) {
    if (ids.has(id)) throw invalid(`sections[${place}].id`, 'must be unique; another section has the same ID')
    ids.add(id)
    const keys = new Set<string>()
    for (const [index, { key }] of fields.entries()) {
      const param = `sections[${place}].fields[${index}].key`
      if (keys.has(key)) throw invalid(param, 'must be unique; another field of the section has the same key')
      keys.add(key)
    }
  }
}

/** Number of passages per field: from the label, and additional ones from the context. */
const HITS = { byLabel: 8, byContext: 4 } as const
/** Maximum length of the context: a longer hint only slows down the search. */
const MAX_CONTEXT_CHARACTERS = 300
/** A label need not be in the text: `Full name` above a CV. */
const SEARCH = {
  mode: 'hybrid',
  highlight: false,
  keepUnrelated: true,
} as const

/**
 * Retrieves the passages that may hold a field's value, best first, with the warnings. The label
 * and the section name form the first query. The context is added in a second query, so that its
 * words cannot outweigh the label. Rejects as the search does, including the signal's reason.
 */
async function retrievePassages(
  search: Pick<SearchService, 'find'>,
  { searched, ...asked }: FieldSearch,
  { label, sectionName, context }: Field,
): Promise<{ hits: HitResource[]; warnings: Warning[] }> {
  const query = `${label} ${sectionName}`
  const find = (words: string, limit: number) => search.find(searched, { ...SEARCH, ...asked, query: words, limit })
  const hint = context?.slice(0, MAX_CONTEXT_CHARACTERS).trim() ?? ''
  const [own, further] = await Promise.all([
    find(query, HITS.byLabel),
    hint === '' ? null : find(`${query} ${hint}`, HITS.byContext),
  ])
  const hits = [...own.hits, ...(further?.hits ?? [])]
  const warnings = [...own.warnings, ...(further?.warnings ?? [])]
  return { hits: [...new Map(hits.map((hit) => [hit.chunkId, hit])).values()], warnings }
}

/** Converts a hit for the field reader. */
function toPassage(hit: HitResource): Passage {
  const { text, section, header, chunkIndex, kind, documentId: document, createdAt } = hit
  const place = { section, header, title: getOwnTitle(hit), document, createdAt }
  return { ...place, text, isFirst: chunkIndex === 0, isCorrection: kind === 'correction' }
}
