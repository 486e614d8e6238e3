import { hash } from 'node:crypto'
import type { Metadata } from '../../../api/fields.ts'
import type { Document } from '../../../database/schema.ts'
import { replaceUnstorable } from '../../../parsers/encoding/decode-file.ts'
import { toNfc } from '../../../text/characters.ts'

/** Filter labels of a document's tags and metadata; about 2 µs each. */
export function labelsOf({ tags, metadata }: { tags: readonly string[]; metadata: Metadata }): string[] {
  return [...tags.map(tagLabel), ...metadataLabels(metadata)]
}

/**
 * Label of a tag in the memory file: 32 hex digits, equal for equal tags after Unicode
 * normalization. The label does not reveal the tag.
 */
function tagLabel(tag: string): string {
  return digest(`t\u0000${replaceUnstorable(tag)}`)
}

/** Labels of metadata, one per key: equal when key, value and type are equal. */
function metadataLabels(metadata: Metadata): string[] {
  return Object.entries(metadata).map(([key, value]) => {
    const kept = typeof value === 'string' ? replaceUnstorable(value) : value
    return digest(`m\u0000${replaceUnstorable(key)}\u0000${JSON.stringify(kept)}`)
  })
}

function digest(text: string): string {
  return hash('sha256', toNfc(text)).slice(0, 32)
}

/** Heading under which chunks are indexed and embedded: the title, or topics of a correction. */
export function headingOf({ title, topics }: { title: string; topics: readonly string[] | null }): string {
  return topics === null ? title : topics.join(', ')
}

/** Heading of a stored document. */
export function headingOfRow({ title, topics }: Pick<Document, 'title' | 'topics'>): string {
  return headingOf({ title, topics: topics === null ? null : (JSON.parse(topics) as string[]) })
}
