import { runSync } from '../../src/concurrency/event-loop-yield.ts'
import type { Finding } from '../../src/extraction/field.ts'
import { createFieldFinder } from '../../src/extraction/find-field.ts'

type Asked = { type?: string; section?: string; context?: string; language?: string }

/**
 * Finds a field in passages of one document without section facts. `language`: ISO 639-1, English
 * by default.
 */
export function find(
  label: string,
  texts: string | readonly string[],
  { type, section, context, language }: Asked = {},
): Finding | null {
  const passages = [texts].flat().map((text, index) => {
    return {
      text,
      section: null,
      header: null,
      title: null,
      isFirst: index === 0,
      isCorrection: text.startsWith('Correction'),
    }
  })
  const field = { label, key: label, dataType: type ?? null, sectionName: section ?? '', context: context ?? null }
  return runSync(createFieldFinder([language ?? 'en']).find(field, passages))
}

/** Returns the value of {@link find} alone; `null` without a match. */
export function value(label: string, text: string | readonly string[], asked: Asked = {}): unknown {
  return find(label, text, asked)?.value ?? null
}
