import { invalid } from '../../errors.ts'
import type { ExtractRequest } from './extraction.ts'

/** Throws `validation_failed`, naming the second of two sections with one id, or of two fields of a section with one key. */
export function requireUniqueNames({ sections }: Pick<ExtractRequest, 'sections'>): void {
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
