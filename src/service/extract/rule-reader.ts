import { setImmediate } from 'node:timers/promises'
import { createFieldFinder } from '../../engine/extraction/find-field.ts'
import type { Finding } from '../../engine/extraction/reading/field.ts'
import type { FieldReader } from './field-reader.ts'

/** Makes the reader that needs no model. The event loop is free between two fields. */
export function createRuleReader(): FieldReader {
  return {
    async read(fields, languages, signal) {
      const finder = createFieldFinder(languages)
      const findings: (Finding | null)[] = []
      for (const { field, passages } of fields) {
        await setImmediate()
        signal.throwIfAborted()
        findings.push(finder.find(field, passages))
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
