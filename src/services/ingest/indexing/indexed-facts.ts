import { hash } from 'node:crypto'
import type { Metadata } from '../../../api/fields.ts'
import type { Document } from '../../../database/schema.ts'
import { replaceUnstorable } from '../../../parsers/encoding/decode-file.ts'
import { toNfc } from '../../../text/characters.ts'

/**
 * The labels of all tags and metadata of a document, by which filters find its chunks; some 2 us
 * each.
 */
export function labelsOf({ tags, metadata }: { tags: readonly string[]; metadata: Metadata }): string[] {
  return [...tags.map(tagLabel), ...metadataLabels(metadata)]
}

/**
 * The label of a tag in the memory file: 32 hex digits that say nothing but "the same tag",
 * whatever a caller wrote and however its accents, as it is kept.
 */
export function tagLabel(tag: string): string {
  return digest(`t\u0000${replaceUnstorable(tag)}`)
}

/** The labels of metadata, one a key: equal when key, value and the value's type are equal. */
export function metadataLabels(metadata: Metadata): string[] {
  return Object.entries(metadata).map(([key, value]) => {
    const kept = typeof value === 'string' ? replaceUnstorable(value) : value
    return digest(`m\u0000${replaceUnstorable(key)}\u0000${JSON.stringify(kept)}`)
  })
}

function digest(text: string): string {
  return hash('sha256', toNfc(text)).slice(0, 32)
}

/**
 * What the chunks of a document are indexed and embedded under: its title, or the topics of a
 * correction.
 */
export function headingOf({ title, topics }: { title: string; topics: readonly string[] | null }): string {
  return topics === null ? title : topics.join(', ')
}

/** The same of a stored document. */
export function headingOfRow({ title, topics }: Pick<Document, 'title' | 'topics'>): string {
  return headingOf({ title, topics: topics === null ? null : (JSON.parse(topics) as string[]) })
}
