import { inTurns } from '../../concurrency/in-turns.ts'
import { createLoopShare } from '../../concurrency/loop-share.ts'
import type { Finding } from '../../extraction/field.ts'
import { createFieldFinder } from '../../extraction/find-field.ts'
import type { FieldReader } from './field-reader.ts'

/** Fields that are read together take turns of so much each, in milliseconds: most take one or two. */
const SLICE_MS = 8

/** Makes the reader that needs no model. Others have their turn between two passages of a field. */
export function createRuleReader(shareLoop = createLoopShare(SLICE_MS)): FieldReader {
  return {
    async read(fields, languages, signal) {
      const finder = createFieldFinder(languages)
      const findings: (Finding | null)[] = []
      for (const { field, passages } of fields) {
        findings.push(await inTurns(finder.find(field, passages), shareLoop, signal))
      }
      const warnings = fields.flatMap(({ field, param }, index) => {
        if (findings[index]?.isContested !== true) return []
        const message = `More than one value stands in the documents for ${field.label}; the one that fits best was taken.`
        return [{ code: 'several_values', message, param }]
      })
      return { model: 'extractive', findings, warnings }
    },
  }
}
