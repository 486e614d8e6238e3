import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Value } from '../../src/extraction/values/value.ts'

/**
 * A field with its correct value: `null` where the document has none; `also` lists equally correct
 * values.
 */
export type LabelledField = {
  section: string
  label: string
  type: string
  value: Value | null
  also: readonly Value[]
}

/** An invented document with at least eight fields. */
export type LabelledDocument = { name: string; path: string; context: string; fields: readonly LabelledField[] }

/**
 * The rules were developed on `tuning`; the `held-out` documents were written earlier and not
 * inspected.
 */
export type Half = 'tuning' | 'held-out'

/**
 * The documents of one half, each a file with its fields in a JSON Lines file, the context first.
 */
export function readLabelledSet(half: Half): LabelledDocument[] {
  const folder = join(import.meta.dirname, half)
  const files = readdirSync(folder).filter((name) => !name.endsWith('.fields.jsonl'))
  return files.sort().map((file) => {
    const name = file.replace(/\.\w+$/, '')
    const lines = readFileSync(join(folder, `${name}.fields.jsonl`), 'utf8')
      .trim()
      .split('\n')
    const [first, ...rest] = lines.map((line) => JSON.parse(line))
    const { context } = first as { context: string }
    const fields = (rest as (LabelledField & { also?: Value[] })[]).map((field) => ({
      ...field,
      also: field.also ?? [],
    }))
    return { name, path: join(folder, file), context, fields }
  })
}
