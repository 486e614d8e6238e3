import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A document with nothing cut. */
export type WholeDocument = { id: string; title: string; text: string }
/** A question with a literal answer at a position in a document. */
type PlacedQuestion = { query: string; document: string; start: number; end: number }
/** Whole documents with questions; `lost` holds questions without an answer position. */
export type WholeSet = {
  name: string
  documents: readonly WholeDocument[]
  questions: readonly PlacedQuestion[]
  lost: number
}

type CorpusLine = { _id: string; text: string; doc?: string; paragraph?: boolean }
type QueryLine = { _id: string; text: string; answer?: string }
type OwnLine = { query: string; document: string; answer: string }

const ROOT = join(import.meta.dirname, '../../..')
const TITLE = /^# (.+)$/m

/**
 * A judged set (`read-judged-sets.ts`) with passages of longer documents. Passages of one `doc` are
 * joined, as paragraphs where marked `paragraph`, else as running text. Questions are those with an
 * `answer`, located in the first passage judged relevant.
 */
export function readJoinedSet(folder: string, name: string): WholeSet {
  const texts = new Map<string, string>()
  const places = new Map<string, { document: string; start: number; text: string }>()
  for (const { _id: id, text, doc = id, paragraph = false } of readLines<CorpusLine>(join(folder, 'corpus.jsonl'))) {
    const before = texts.get(doc)
    const joined = before === undefined ? '' : before + (paragraph ? '\n\n' : ' ')
    places.set(id, { document: doc, start: joined.length, text })
    texts.set(doc, joined + text)
  }
  const judged = readJudgements(join(folder, 'qrels.tsv'))
  const asked = readLines<QueryLine>(join(folder, 'queries.jsonl')).filter(({ answer }) => answer !== undefined)
  const questions = asked.flatMap(({ _id, text, answer = '' }) => {
    const wanted = answer.trim()
    const passages = (judged.get(_id) ?? []).flatMap((passage) => places.get(passage) ?? [])
    const passage = passages.find((each) => each.text.includes(wanted))
    if (passage === undefined) return []
    const start = passage.start + passage.text.indexOf(wanted)
    return [{ query: text, document: passage.document, start, end: start + wanted.length }]
  })
  const documents = [...texts].map(([id, text]) => ({ id, title: '', text }))
  return { name, documents, questions, lost: asked.length - questions.length }
}

/**
 * The project's own pages, with questions of our own; a question is lost when the page no longer
 * says the answer.
 */
export function readOwnSet(): WholeSet {
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'embedder/README.md',
    ...listPages('docs'),
    ...listPages('docs/decisions'),
    ...listPages('docs/internals'),
  ]
  const documents = pages.map((id) => {
    const text = readFileSync(join(ROOT, id), 'utf8')
    return { id, title: TITLE.exec(text)?.[1] ?? '', text }
  })
  const asked = readLines<OwnLine>(join(import.meta.dirname, 'own-questions.jsonl'))
  const questions = asked.flatMap(({ query, document, answer }) => {
    const start = documents.find(({ id }) => id === document)?.text.indexOf(answer) ?? -1
    return start < 0 ? [] : [{ query, document, start, end: start + answer.length }]
  })
  return { name: 'own pages', documents, questions, lost: asked.length - questions.length }
}

function listPages(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => `${folder}/${name}`)
}

function readLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
}

function readJudgements(path: string): Map<string, string[]> {
  const rows = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
  const good = rows.filter(([, , gain]) => Number(gain) > 0)
  return new Map(
    [...Map.groupBy(good, ([query = '']) => query)].map(([id, own]) => [id, own.map(([, passage = '']) => passage)]),
  )
}
