import type { Kysely } from 'kysely'
import type { ExtractAnswer } from '../../api/extract.ts'
import type { HitResource } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import { mapAtOnce } from '../../concurrency/map-at-once.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { locatePages } from '../search/locate-pages.ts'
import type { SearchedMemory, SearchService } from '../search/search.ts'
import { openMemory } from '../search/search-service.ts'
import { describeField } from './describe-field.ts'
import type { ExtractRequest, ExtractService, SchemaField } from './extraction.ts'
import type { FieldReader, FieldToRead } from './field-reader.ts'
import { requireSoundSchema } from './require-sound-schema.ts'
import { passageOf, retrievePassages } from './retrieve-passages.ts'

/** What the service of extraction is made of. */
export type ExtractParts = {
  db: Kysely<Tables>
  search: Pick<SearchService, 'find'>
  /** What reads the values: a language model where one is configured, rules where none is. */
  reader: FieldReader
}

/** Searches that run at a time for one call: each is two queries of the memory file, which itself uses every core. */
const FIELDS_AT_ONCE = 4

/** Fills schemas: every field has its own retrieval, and its value is a place in what that found. */
export function createExtractService({ db, search, reader }: ExtractParts): ExtractService {
  return {
    async extract(caller, memoryId, request, signal) {
      requireSoundSchema(request)
      const searched = await openMemory(db, caller, memoryId)
      const asking = { searched, context: request.context, signal }
      const asked = await mapAtOnce(listFields(request), FIELDS_AT_ONCE, (field) =>
        retrieveField(search, asking, field),
      )
      requireOneSearched(asked)
      const { model, findings, warnings } = await reader.read(asked, searched.languages, signal)
      const cited = asked.flatMap(({ hits }, index) => hits[findings[index]?.passage ?? -1] ?? [])
      const pageOf = await locatePages(db, memoryId, cited)
      const fields = asked.map(({ schema, hits }, index) =>
        describeField(schema, findings[index] ?? null, { hits, pageOf }),
      )
      const failures = asked.flatMap(({ failure }) => (failure === null ? [] : [failure.warning]))
      return describeAnswer(memoryId, request, {
        fields,
        model,
        warnings: [...warnSearches(asked), ...failures, ...warnings],
      })
    },
  }
}

type Asking = { searched: SearchedMemory; context: string | null; signal: AbortSignal }
type Place = { schema: SchemaField; sectionName: string; param: string }
type AskedField = FieldToRead & {
  schema: SchemaField
  hits: readonly HitResource[]
  /** What the searches for it warned of. */
  warnings: readonly Warning[]
  /** Why its passages are not known; `null` where they are. */
  failure: { warning: Warning; error: ApiError } | null
}

function listFields({ sections }: ExtractRequest): Place[] {
  return sections.flatMap(({ name, fields }, place) =>
    fields.map((schema, index) => ({ schema, sectionName: name, param: `sections[${place}].fields[${index}]` })),
  )
}

async function retrieveField(
  search: ExtractParts['search'],
  { context, ...asking }: Asking,
  { schema, sectionName, param }: Place,
): Promise<AskedField> {
  const field = { ...schema, sectionName, context }
  try {
    const { hits, warnings } = await retrievePassages(search, asking, field)
    return { schema, field, param, hits, warnings, passages: hits.map(passageOf), failure: null }
  } catch (error) {
    // The end of the call may be an error of the table as well.
    asking.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    const message = `The field was not searched for: ${error.message}`
    const failure = { warning: { code: 'field_not_searched', message, param }, error }
    return { schema, field, param, hits: [], warnings: [], passages: [], failure }
  }
}

/** What searches warned of, each code once: of the service rather than of the words of one field, which is named then. */
function warnSearches(asked: readonly AskedField[]): Warning[] {
  const all = asked.flatMap(({ warnings, param }) =>
    warnings.map((warning) => (warning.param === null ? warning : { ...warning, param })),
  )
  const ofService = all.filter(({ param }) => param === null)
  const byCode = new Map<string, Warning>()
  for (const warning of [...ofService, ...all]) if (!byCode.has(warning.code)) byCode.set(warning.code, warning)
  return [...byCode.values()]
}

/** One field that cannot be searched for is a gap; where all are the service is what fails. */
function requireOneSearched(asked: readonly AskedField[]): void {
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
  // `fromEntries` keeps a section or a key that is named `__proto__`.
  const values = Object.fromEntries(
    sections.map(({ id, fields }) => [id, Object.fromEntries(fields.map(({ key, value }) => [key, value]))]),
  )
  const fieldsFound = fields.filter(({ found }) => found).length
  return { memoryId, values, sections, fieldsTotal: fields.length, fieldsFound, ...rest }
}
