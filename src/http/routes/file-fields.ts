import { countMetadata } from '../../api/fields.ts'
import type { SentFileFields } from '../../api/ingest.ts'
import { invalid } from '../../errors.ts'
import { DOCUMENT_FIELDS } from '../../limits.ts'
import type { FileFields } from '../../services/ingest/given-fields.ts'
import { hasVisibleText } from '../../text/characters.ts'

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
