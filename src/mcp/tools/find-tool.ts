import { Type } from 'typebox'
import type { Hit } from '../../client/findings.ts'
import { QUERY_CHARACTERS } from '../../limits.ts'
import { unescapeHtml } from '../../text/escape-html.ts'
import { pluralize } from '../../text/pluralize.ts'
import { requireMemory } from '../require-memory.ts'
import {
  CorrectionMark,
  FILTER_ARGUMENTS,
  MemoryArgument,
  MemorySchema,
  OrNull,
  PLACE,
  toFilter,
  WarningsSchema,
} from '../schemas.ts'
import { ArgumentError, defineTool } from '../tool.ts'
import { cutText, formatPlace, formatWarnings, oneLine } from '../write-text.ts'

const LIMIT = { default: 5, max: 25 } as const
/**
 * Size of the whole result in bytes of JSON. By default it is small: a model that searches several
 * times keeps its context for the passages that it needs.
 */
const BYTES = { default: 6000, max: 48_000 } as const
/** Names of fields, line ends and the sentence about further passages. */
const FRAME_BYTES = 320
/** A shorter excerpt would rarely answer a question; then the result has fewer passages. */
const MIN_EXCERPT_BYTES = 350
/** Part of an excerpt before the first match. */
const LEAD_CHARACTERS = 80
/** Ranks that the API returns. */
const MAX_RANK = 100
const MAX_TAGS = 10

/** Finds passages for a query. */
export const FIND = defineTool({
  name: 'find',
  title: 'Find passages',
  description: [
    'Finds the best passages of a memory for a query, with title, page, offsets and chunk id.',
    "Use it whenever the user's documents may contain the answer. Rephrase the query if the hits do not fit.",
    'Queries can be plain questions. Quoted words and identifiers are matched literally.',
    'Passages that are a correction come from a person and override documents.',
    'Returns passages, or excerpts of long ones, in up to 6,000 bytes; maxBytes allows more.',
    'Call read_passage for the text around one. Pass nextCursor as cursor for the passages that follow.',
    'Counts as one query of the plan.',
  ].join('\n'),
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS, description: 'Question or keywords.' }),
    memory: MemoryArgument,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT.max, default: LIMIT.default })),
    cursor: Type.Optional(
      Type.String({ description: 'nextCursor of the previous call with the same query and filter, unchanged.' }),
    ),
    maxBytes: Type.Optional(
      Type.Integer({ minimum: 2000, maximum: BYTES.max, default: BYTES.default, description: 'Size of the result.' }),
    ),
    mode: Type.Optional(
      Type.Unsafe<'auto' | 'hybrid' | 'semantic' | 'lexical'>({
        type: 'string',
        enum: ['auto', 'hybrid', 'semantic', 'lexical'],
        description: 'Defaults to auto. Use lexical for exact words only, semantic for meaning only.',
      }),
    ),
    ...FILTER_ARGUMENTS,
    minScore: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, default: 0, description: 'Leaves out documents with a lower score.' }),
    ),
  }),
  output: Type.Object({
    memory: MemorySchema,
    mode: Type.String(),
    totalHits: Type.Integer({ description: 'Number of ranked passages.' }),
    hits: Type.Array(
      Type.Object({
        ...PLACE,
        rank: Type.Integer(),
        score: Type.Number(),
        text: Type.String({
          description: 'The passage, or its excerpt around the match: the text between the offsets.',
        }),
        correction: Type.Optional(CorrectionMark),
        duplicates: Type.Optional(Type.Integer({ description: 'Number of further passages with the same text.' })),
        filename: Type.Optional(Type.String()),
        tags: Type.Optional(Type.Array(Type.String())),
        section: Type.Optional(Type.String()),
        url: Type.Optional(Type.String()),
      }),
    ),
    nextCursor: OrNull(Type.String({ description: 'Cursor of the passages that follow. Null at the end.' })),
    warnings: WarningsSchema,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ query, memory: named, ...asked }, context) {
    const { limit = LIMIT.default, mode = 'auto', minScore = 0, cursor, maxBytes = BYTES.default, ...filter } = asked
    const shown = readCursor(cursor)
    const memory = await requireMemory(named, context)
    const options = {
      limit: Math.min(shown + limit, MAX_RANK),
      mode,
      filter: toFilter(filter),
      minScore,
      highlight: true,
    }
    const input = { path: { id: memory.id }, body: { query, options } }
    const { hits, totalHits, ...answer } = await context.call('find', input, { signal: context.signal })
    const warnings = answer.warnings.map(({ message }) => message)
    const facts = { memory, mode: answer.mode, totalHits, warnings }
    // The text has the warnings as well.
    const fitting = fit(hits.slice(shown), maxBytes - FRAME_BYTES - sizeOf(facts) - sizeOf(warnings))
    const last = shown + fitting.length
    const nextCursor = last < Math.min(totalHits, MAX_RANK) && fitting.length > 0 ? `${last}` : null
    return {
      text: describe(fitting, { nextCursor, warnings }),
      facts: { ...facts, hits: fitting, nextCursor },
    }
  },
})

/** Passages of earlier calls, as their number. */
function readCursor(cursor = '0'): number {
  const shown = /^\d{1,3}$/.test(cursor) ? Number(cursor) : MAX_RANK
  if (shown < MAX_RANK) return shown
  throw new ArgumentError('cursor is not a nextCursor of find. Omit it to start with the best passage.')
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/**
 * The first hits whose texts fit in a result of that size, at least one. Long texts become excerpts
 * that share the room which shorter texts leave.
 */
function fit(hits: readonly Hit[], maxBytes: number): ShortHit[] {
  // Each text is in the result twice: for the model, and as data.
  const roomFor = (some: readonly Hit[]) => (maxBytes - some.reduce((sum, hit) => sum + placeBytes(hit), 0)) / 2
  let count = hits.length
  while (count > 1 && roomFor(hits.slice(0, count)) < shareAll(hits.slice(0, count))) count -= 1
  const kept = hits.slice(0, count)
  let room = Math.max(roomFor(kept), MIN_EXCERPT_BYTES)
  const excerpts = new Map<Hit, ShortHit>()
  for (const [index, hit] of kept.toSorted((a, b) => a.text.length - b.text.length).entries()) {
    const short = shorten(hit, room / (kept.length - index))
    room -= sizeOf(short.text)
    excerpts.set(hit, short)
  }
  return kept.flatMap((hit) => excerpts.get(hit) ?? [])
}

/** Least room for the texts: whole short ones, and excerpts of the others. */
function shareAll(hits: readonly Hit[]): number {
  return hits.reduce((sum, { text }) => sum + Math.min(sizeOf(text), MIN_EXCERPT_BYTES), 0)
}

/** Bytes of a hit without its text, in both forms. */
function placeBytes(hit: Hit): number {
  const empty = shorten(hit, 0)
  return sizeOf(empty) + sizeOf(describeHit(empty))
}

/** A hit with an excerpt of at most that size. Absent facts are left out. */
function shorten({ text: whole, ...hit }: Hit, maxBytes: number) {
  const { documentId, chunkId, page, rank, score, correction, duplicates, filename, section, url } = hit
  const { text, start } = excerpt(whole, hit.snippet, maxBytes)
  const startOffset = hit.startOffset + start
  const tags = hit.tags.slice(0, MAX_TAGS).map(oneLine)
  return {
    documentId,
    chunkId,
    title: oneLine(hit.title),
    page,
    startOffset,
    endOffset: startOffset + text.length,
    rank,
    score: Math.round(1000 * score) / 1000,
    text,
    ...(correction === null ? {} : { correction }),
    ...(duplicates === 0 ? {} : { duplicates }),
    ...(filename === null || filename === hit.title ? {} : { filename: oneLine(filename) }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(section === null || section === hit.title ? {} : { section: oneLine(section) }),
    ...(url === null ? {} : { url: oneLine(url) }),
  }
}

type ShortHit = ReturnType<typeof shorten>

/** The part of a passage from shortly before the first match, within that many bytes of JSON. */
function excerpt(whole: string, snippet: string, maxBytes: number): { text: string; start: number } {
  if (sizeOf(whole) <= maxBytes) return { text: whole, start: 0 }
  const [before = '', match] = unescapeHtml(snippet.replace(/^…/, '')).split(/<\/?mark>/)
  const at = match === undefined ? -1 : whole.indexOf(before + match)
  const first = at === -1 ? 0 : Math.max(0, at + before.length - LEAD_CHARACTERS)
  const start = first === 0 ? 0 : whole.indexOf(' ', first) + 1
  let end = start + Math.floor(maxBytes)
  const cut = () => cutText(whole.slice(start), Math.max(0, end - start))
  // Characters of other scripts and line ends take several bytes.
  while (end > start && sizeOf(cut()) > maxBytes) end -= Math.ceil((sizeOf(cut()) - maxBytes) / 4)
  return { text: cut(), start }
}

type Ending = { nextCursor: string | null; warnings: string[] }

function describe(hits: readonly ShortHit[], { nextCursor, warnings }: Ending): string {
  if (hits.length === 0) return `No passages found.${formatWarnings(warnings)}`
  const more = nextCursor === null ? '' : `\n\nMore passages: call again with cursor ${nextCursor}.`
  return hits.map(describeHit).join('\n\n') + more + formatWarnings(warnings)
}

function describeHit(hit: ShortHit): string {
  const kind = hit.correction ? describeCorrection(hit.correction) : ''
  const copies = hit.duplicates === undefined ? '' : `, ${pluralize(hit.duplicates, 'further copy', 'further copies')}`
  const place = `${formatPlace(hit, hit.chunkId)}, score ${hit.score.toFixed(2)}${copies}`
  return `[${hit.rank}] ${kind}${place}\n${hit.text.trimEnd()}`
}

/**
 * Shows the dates of a correction, so that a model can prefer the newer of two contradicting
 * corrections.
 */
function describeCorrection({ createdAt, expiresAt }: NonNullable<Hit['correction']>): string {
  const until = expiresAt === null ? '' : ` until ${expiresAt.slice(0, 10)}`
  return `Correction of ${createdAt.slice(0, 10)}${until}: `
}
