import { invalid } from '../../errors.ts'
import { EXTRACTION } from '../../limits.ts'
import type { ExtractRequest } from './extraction.ts'

/**
 * Throws `validation_failed` for more fields than one call fills, and for names that are not unique: of two sections with one id, and of
 * two fields of a section with one key, the second is named.
 */
export function requireSoundSchema({ sections }: Pick<ExtractRequest, 'sections'>): void {
  const fields = sections.reduce((sum, section) => sum + section.fields.length, 0)
  if (fields > EXTRACTION.fields) throw invalid('sections', `must have at most ${EXTRACTION.fields} fields together`)
  const ids = new Set<string>()
  for (const [place, { id, fields }] of sections.entries()) {
    if (ids.has(id)) throw invalid(`sections[${place}].id`, 'must be unique: another section has it')
    ids.add(id)
    const keys = new Set<string>()
    for (const [index, { key }] of fields.entries()) {
      const param = `sections[${place}].fields[${index}].key`
      if (keys.has(key)) throw invalid(param, 'must be unique: another field of the section has it')
      keys.add(key)
    }
  }
}
