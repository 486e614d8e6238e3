import type { Warning } from '../../api/values.ts'
import { createEventLoopYielder, runCooperatively } from '../../concurrency/event-loop-yield.ts'
import type { Field, Finding, Passage } from '../../extraction/field.ts'
import { createFieldFinder } from '../../extraction/find-field.ts'

/**
 * A field with its candidate passages, best first; `param` is its path in the request, such as
 * `sections[0].fields[2]`.
 */
export type FieldToRead = { field: Field; passages: readonly Passage[]; param: string }

/** Reads field values from passages, by rules or by a language model. */
export type FieldReader = {
  /** Every finding is a span in one of the field's passages. Rejects with the signal's reason. */
  read(fields: readonly FieldToRead[], languages: readonly string[], signal: AbortSignal): Promise<FieldReadings>
}

/** Result of reading fields. */
type FieldReadings = {
  /** Model name in the answer: the model if it read any field. */
  model: string
  /** Findings in field order; `null` if not found. */
  findings: (Finding | null)[]
  warnings: Warning[]
}

/** Event-loop budget of concurrent reads per turn, in milliseconds; most take one or two. */
const SLICE_MS = 8

/** Creates the rule-based reader. Yields between the passages of a field. */
export function createRuleReader(yieldToEventLoop = createEventLoopYielder(SLICE_MS)): FieldReader {
  return {
    async read(fields, languages, signal) {
      const finder = createFieldFinder(languages)
      const findings: (Finding | null)[] = []
      for (const { field, passages } of fields) {
        findings.push(await runCooperatively(finder.find(field, passages), yieldToEventLoop, signal))
      }
      const warnings = fields.flatMap(({ field, param }, index) => {
        if (findings[index]?.isContested !== true) return []
        const message = `The documents contain several values for ${field.label}. The best match was used.`
        return [{ code: 'several_values', message, param }]
      })
      return { model: 'extractive', findings, warnings }
    },
  }
}
