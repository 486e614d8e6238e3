import { DOCUMENT_DEFAULTS } from '../../api/ingest.ts'
import { replaceUnstorable } from '../../parsers/encoding/decode-file.ts'

/** Fields of the document of a file; `title` is `null` for the title in the file. */
export type FileFields = Omit<typeof DOCUMENT_DEFAULTS, 'title'> & { title: string | null }

/** Fields of a file when the caller gives none. */
export const NO_FILE_FIELDS: FileFields = { ...DOCUMENT_DEFAULTS, title: null }

/** The fields as stored: without characters that no store accepts, and with each tag once. */
export function cleanFields<Fields extends FileFields>({ title, tags, metadata, externalId, ...rest }: Fields) {
  const clean = (text: string | null) => (text === null ? null : replaceUnstorable(text))
  return {
    ...rest,
    title: clean(title),
    externalId: clean(externalId),
    tags: cleanTags(tags),
    metadata: cleanMetadata(metadata),
  }
}

/** Tags as stored. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(replaceUnstorable))]
}

/** Metadata as stored. */
export function cleanMetadata(metadata: FileFields['metadata']): FileFields['metadata'] {
  const entries = Object.entries(metadata).map(([key, value]) => [
    replaceUnstorable(key),
    typeof value === 'string' ? replaceUnstorable(value) : value,
  ])
  return Object.fromEntries(entries)
}
