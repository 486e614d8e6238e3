import type { Warning } from '../../api/values.ts'
import { createEventLoopYielder, runCooperatively } from '../../concurrency/event-loop-yield.ts'
import type { Field, Finding, Passage } from '../../extraction/field.ts'
import { createFieldFinder } from '../../extraction/find-field.ts'

/** A field with the passages that may hold its value, best first, and its name in the request, such as `sections[0].fields[2]`. */
export type FieldToRead = { field: Field; passages: readonly Passage[]; param: string }

/** What reads the values of fields out of passages: rules, or a language model. */
export type FieldReader = {
  /** Every finding is a place in one of its field's passages. Rejects with the signal's reason. */
  read(fields: readonly FieldToRead[], languages: readonly string[], signal: AbortSignal): Promise<FieldReadings>
}

/** What was read of fields. */
type FieldReadings = {
  /** What read them, as answers name it: the model where it read any. */
  model: string
  /** In the order of the fields; `null` for what was not found. */
  findings: (Finding | null)[]
  warnings: Warning[]
}

/** Fields that are read together take turns of so much each, in milliseconds: most take one or two. */
const SLICE_MS = 8

/** Makes the reader that needs no model. Others have their turn between two passages of a field. */
export function createRuleReader(shareLoop = createEventLoopYielder(SLICE_MS)): FieldReader {
  return {
    async read(fields, languages, signal) {
      const finder = createFieldFinder(languages)
      const findings: (Finding | null)[] = []
      for (const { field, passages } of fields) {
        findings.push(await runCooperatively(finder.find(field, passages), shareLoop, signal))
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
