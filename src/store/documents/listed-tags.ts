import { composeMarks } from '../../text/compose-marks.ts'

/** The tags by which a document is listed: each once, however its accents are written. */
export function listedTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(composeMarks))]
}
