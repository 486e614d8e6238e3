import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LabelledField } from '../extraction/labelled-set.ts'

/** A document added as text, or uploaded as a file with that name. */
export type TrustDocument = { name: string; isFile: boolean; text: string }

/** Patterns are regular expressions without regard to case; `data/README.md` defines each kind. */
export type TrustQuestion = {
  kind: 'answer' | 'decline' | 'sibling' | 'corrected' | 'corrected-sibling' | 'edition'
  /** What the question distinguishes, as a free tag. */
  class: string
  language: string
  text: string
  must: readonly string[]
  mustNot: readonly string[]
  /** Patterns of answers that are right although a refusal is right as well. */
  accept: readonly string[]
  /** Names of the documents of an `edition` question. */
  newer: string
  older: string
}

/** Documents of one memory, with questions and fields. */
export type TrustGroup = {
  name: string
  language: string
  kind: string
  documents: readonly TrustDocument[]
  corrections: readonly { statement: string; topics?: string[] }[]
  questions: readonly TrustQuestion[]
  extract: readonly LabelledField[]
}

type Written = {
  language: string
  kind: string
  documents: { title?: string; filename?: string; text: string | string[] }[]
  corrections?: TrustGroup['corrections']
  questions: (Partial<TrustQuestion> & Pick<TrustQuestion, 'kind' | 'class' | 'text'>)[]
  extract?: (Partial<LabelledField> & Pick<LabelledField, 'label' | 'type' | 'value'>)[]
}

/** The subfolders with groups, by name. */
export function readTrustSets(folder: string): Map<string, TrustGroup[]> {
  const subfolders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const sets = subfolders.map(({ name }) => [name, readGroups(join(folder, name))] as const)
  return new Map(sets.filter(([, groups]) => groups.length > 0).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function readGroups(folder: string): TrustGroup[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.sort().flatMap((file) => {
    const written = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Written | Written[]
    const name = file.replace(/\.json$/, '')
    return Array.isArray(written)
      ? written.map((one, index) => fillGroup(`${name}-${index + 1}`, one))
      : [fillGroup(name, written)]
  })
}

const EMPTY_QUESTION = { must: [], mustNot: [], accept: [], newer: '', older: '' }

function fillGroup(name: string, { language, kind, documents, corrections, questions, extract }: Written): TrustGroup {
  return {
    name,
    language,
    kind,
    documents: documents.map(({ title, filename, text }) => ({
      name: filename ?? title ?? '',
      isFile: filename !== undefined,
      text: typeof text === 'string' ? text : text.join('\n'),
    })),
    corrections: corrections ?? [],
    questions: questions.map((question) => ({ ...EMPTY_QUESTION, language, ...question })),
    extract: (extract ?? []).map((field) => ({ section: 'Details', also: [], ...field })),
  }
}
