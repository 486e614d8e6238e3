import type { ExtractedField, FieldSource } from '../../api/extract.ts'
import type { HitResource } from '../../api/search.ts'
import type { Finding } from '../../extraction/field.ts'
import { escapeHtml } from '../../text/escape-html.ts'
import type { PageLocator } from '../search/locate-pages.ts'
import type { SchemaField } from './extraction.ts'

/** Shown around a value on either side. */
const SNIPPET_CHARACTERS = 100

/** A field as the answer has it; `hits` are the passages that the finding's index counts in. */
export function describeField(
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
  return { ...named, found: true, value, rawValue, confidence, sources: [sourceOf(finding, hit, pageOf)] }
}

function sourceOf({ start, end }: Finding, hit: HitResource, pageOf: PageLocator): FieldSource {
  const { documentId, chunkId, title, startOffset } = hit
  const page = pageOf(hit, start)
  const snippet = snippetAround(hit.text, start, end)
  return { documentId, chunkId, title, page, snippet, startOffset: startOffset + start, endOffset: startOffset + end }
}

/** The value with what stands around it, cut at words. */
function snippetAround(text: string, start: number, end: number): string {
  const from = Math.max(0, start - SNIPPET_CHARACTERS)
  const until = Math.min(text.length, end + SNIPPET_CHARACTERS)
  const before = from === 0 ? text.slice(0, start) : text.slice(from, start).replace(/^\S*\s/, '')
  const after = until === text.length ? text.slice(end) : text.slice(end, until).replace(/\s\S*$/, '')
  return escapeHtml(`${before}${text.slice(start, end)}${after}`.replaceAll(/\s+/g, ' ').trim().toWellFormed())
}
