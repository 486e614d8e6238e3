import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Documents, and questions with answers in some of the documents. */
export type QuestionSet = {
  name: string
  documents: readonly { title: string; text: string }[]
  /** `answer` is a string of a document; `null` where the set does not say. */
  questions: readonly { text: string; answer: string | null }[]
}

/** A neutral title for documents without one. */
const NO_TITLE = 'untitled'

/**
 * The sets of a folder by name: each a folder with `corpus.jsonl` (`title`, `text`) and
 * `queries.jsonl` (`text`, perhaps `answer`). Documents without text are left out.
 */
export function readQuestionSets(folder: string): QuestionSet[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'corpus.jsonl')))
    .sort()
    .map((name) => ({
      name,
      documents: readLines<{ title?: string; text: string }>(join(folder, name, 'corpus.jsonl'))
        .filter(({ text }) => text.trim() !== '')
        .map(({ title, text }) => ({ title: title || NO_TITLE, text })),
      questions: readLines<{ text: string; answer?: string }>(join(folder, name, 'queries.jsonl')).map(
        ({ text, answer }) => ({ text, answer: answer ?? null }),
      ),
    }))
}

function readLines<Line>(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}
