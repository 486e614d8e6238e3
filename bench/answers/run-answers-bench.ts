import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../machine.ts'
import { print, table } from '../report.ts'
import { ms, timeEach } from '../timings.ts'
import { type AnswerShares, measureAnswers, measureDeclined } from './measure-answers.ts'
import { type Asker, openAsker } from './open-asker.ts'
import { type QuestionSet, readQuestionSets } from './read-question-set.ts'

/** The memory of all documents together. */
const ALL = 'all'
/** The number of questions for each foreign memory, and for the timing of one question. */
const FOREIGN_QUESTIONS = 100
const TIMED_QUESTIONS = 200
const WARM_UP = 20
/** The required figures on the named set. */
const REQUIRED = { set: 'xquad-en', first: 0.6, any: 0.75, answered: 0.85, declined: 0.7, p50Ms: 60 } as const

/**
 * `<folder> [--sets a,b]`: measures answers without a model. Each set with answers is asked of its
 * memory and, with a hundred questions each, of the other memories in its language. False when
 * `xquad-en` is present and misses the requirements.
 */
export async function runAnswersBench(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { sets: { type: 'string' } } })
  const [folder] = positionals
  if (folder === undefined) throw new Error('a folder with sets of questions is wanted')
  const sets = readQuestionSets(folder)
  const named = values.sets?.split(',') ?? null
  const asked = sets.filter(
    ({ name, questions }) => questions.some(({ answer }) => answer !== null) && (named?.includes(name) ?? true),
  )
  const data = mkdtempSync(join(tmpdir(), 'recollect-answers-'))
  const groups = new Map(asked.map(({ name, documents }) => [name, documents]))
  groups.set(
    ALL,
    sets.flatMap(({ documents }) => documents),
  )
  const asker = await openAsker(data, groups)
  try {
    print(describeMachine())
    const shares = await printAnswered(asker, asked)
    const declined = await printDeclined(asker, asked)
    const p50Ms = await printTime(asker, asked)
    return isEnough(shares.get(REQUIRED.set), declined.get(REQUIRED.set), p50Ms)
  } finally {
    await asker.close()
    rmSync(data, { recursive: true, force: true })
  }
}

async function printAnswered(asker: Asker, sets: readonly QuestionSet[]): Promise<Map<string, AnswerShares>> {
  const shares = new Map<string, AnswerShares>()
  for (const set of sets) shares.set(set.name, await measureAnswers(asker, set.name, set))
  const rows = [...shares].map(([name, { questions, answered, first, any, sentences }]) => [
    name,
    String(questions),
    percent(answered),
    percent(first),
    percent(any),
    sentences.toFixed(2),
  ])
  const head = ['set', 'questions', 'answered', 'first sentence holds the answer', 'one of them does', 'sentences']
  print(table('Asked of their own memory', head, rows))
  return shares
}

/** The smallest share of declined foreign questions, by set. */
async function printDeclined(asker: Asker, sets: readonly QuestionSet[]): Promise<Map<string, number>> {
  const least = new Map<string, number>()
  const rows: string[][] = []
  for (const set of sets) {
    for (const other of sets) {
      // Two translations of one set contain the same answers.
      if (other === set || familyOf(other) === familyOf(set)) continue
      const declined = await measureDeclined(asker, other.name, set, FOREIGN_QUESTIONS)
      rows.push([set.name, other.name, percent(declined)])
      least.set(set.name, Math.min(declined, least.get(set.name) ?? 1))
    }
  }
  print(table(`${FOREIGN_QUESTIONS} questions asked of a foreign memory`, ['set', 'memory', 'declined'], rows))
  return least
}

function familyOf({ name }: QuestionSet): string {
  return name.split('-')[0] ?? name
}

async function printTime(asker: Asker, sets: readonly QuestionSet[]): Promise<number> {
  const questions = (sets.find(({ name }) => name === REQUIRED.set) ?? sets[0])?.questions ?? []
  const texts = questions.slice(0, WARM_UP + TIMED_QUESTIONS).map(({ text }) => text)
  await timeEach(texts.slice(0, WARM_UP), 1, (text) => asker.ask(ALL, text))
  const { p50, p95 } = await timeEach(texts.slice(WARM_UP), 1, (text) => asker.ask(ALL, text))
  const rows = [[String(asker.chunks(ALL)), ms(p50), ms(p95)]]
  print(table('Time of an answer, with retrieval', ['chunks', 'p50, ms', 'p95, ms'], rows))
  return p50
}

function isEnough(shares: AnswerShares | undefined, declined: number | undefined, p50Ms: number): boolean {
  const { first, any, answered } = shares ?? { first: 1, any: 1, answered: 1 }
  const isGood = first >= REQUIRED.first && any >= REQUIRED.any && answered >= REQUIRED.answered
  return isGood && (declined ?? 1) >= REQUIRED.declined && p50Ms <= REQUIRED.p50Ms
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
