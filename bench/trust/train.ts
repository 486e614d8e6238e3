import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type AnswerModel, rateCandidates, toConfidence } from '../../src/engine/answering/answer-model.ts'
import { print, table } from '../report.ts'
import { startService } from '../service.ts'
import { askGroup } from './ask-group.ts'
import { type Example, fitConfidence, fitWeights } from './fit-model.ts'
import type { RecordedQuestion, RecordedSentence } from './record-candidates.ts'
import { readTrustSets, type TrustGroup, type TrustQuestion } from './trust-set.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const RECORDER = join(import.meta.dirname, 'record-candidates.ts')
const WEIGHTS = join(ROOT, 'src/engine/answering/answer-weights.ts')
const FOLDS = 5
/** Each question is also trained on as if the embedder gave no vectors. */
const NO_VECTORS = { cosine: 0.5, semantic: 0.5, headingCosine: 0, sentenceCosine: 0, cosineGap: 0 }
/** Never trained on: its results show what the model is worth. */
const HELD_OUT = 'unseen'

type Recorded = ReadonlyMap<string, readonly RecordedSentence[]>
type Trained = Example & { question: TrustQuestion; fold: number }

/**
 * `<folder> [--write] [--record <file>]`: trains the model of answers without a model on the
 * subfolders of question groups, except for `unseen`. Prints the results on held-out folds;
 * `--write` replaces the weights. `--record` keeps the rated sentences, and reads them if the file
 * exists.
 */
export async function runTraining(args: string[]): Promise<boolean> {
  const options = { write: { type: 'boolean', default: false }, record: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [folder] = positionals
  if (folder === undefined) throw new Error('a folder with subfolders of question groups is wanted')
  const sets = [...readTrustSets(folder)].filter(([name]) => name !== HELD_OUT)
  const groups = sets.flatMap(([, own]) => own)
  const examples = toExamples(groups, splitByGroup(groups, await recordQuestions(groups, values.record)))
  const best = [...Array(FOLDS).keys()].flatMap((fold) => {
    const model = fitWeights(withStripped(examples.filter((example) => example.fold !== fold)))
    return examples.filter((example) => example.fold === fold).map((example) => findBest(example, model))
  })
  const model: AnswerModel = { ...fitWeights(withStripped(examples)), ...fitConfidence(best) }
  printThresholds(best, model)
  if (values.write) writeFileSync(WEIGHTS, printModel(model))
  return true
}

/** Asks all questions of the groups, with the model as it is. */
async function recordQuestions(groups: readonly TrustGroup[], kept?: string): Promise<RecordedQuestion[]> {
  const data = mkdtempSync(join(tmpdir(), 'recollect-train-'))
  const record = kept === undefined ? join(data, 'record.jsonl') : resolve(kept)
  if (!existsSync(record)) await askAll(groups, { data, record })
  const lines = readFileSync(record, 'utf8').trim().split('\n')
  rmSync(data, { recursive: true, force: true })
  return lines.map((line) => JSON.parse(line) as RecordedQuestion)
}

async function askAll(groups: readonly TrustGroup[], { data, record }: { data: string; record: string }) {
  const service = await startService(join(data, 'data'), ['--import', RECORDER], { TRUST_RECORD: record })
  try {
    for (const group of groups) await askGroup(service, { ...group, extract: [] })
  } finally {
    await service.stop()
  }
}

/** Returns the sentences of each group by question. */
function splitByGroup(groups: readonly TrustGroup[], recorded: readonly RecordedQuestion[]): Recorded[] {
  let next = 0
  return groups.map((group) => {
    // Two groups may ask the same question.
    const own = new Set(group.questions.map(({ text }) => text))
    const found = new Map<string, readonly RecordedSentence[]>()
    for (let one = recorded[next]; one !== undefined && own.has(one.question); one = recorded[++next])
      found.set(one.question, one.sentences)
    return found
  })
}

function toExamples(groups: readonly TrustGroup[], recorded: readonly Recorded[]): Trained[] {
  return groups.flatMap((group, index) =>
    group.questions
      .filter(({ kind }) => kind !== 'corrected')
      .map((question) => {
        const sentences = (recorded[index]?.get(question.text) ?? []).filter(({ isCorrection }) => !isCorrection)
        const judged = sentences.map((one) => ({
          features: one.features,
          isRight: isRight(question, { ...one, text: withOtherSteps(one, sentences) }),
        }))
        return { group: group.name, question, sentences: judged, fold: index % FOLDS }
      }),
  )
}

/** The examples, and the same without vectors. */
function withStripped(examples: readonly Trained[]): Example[] {
  const strip = ({ group, sentences }: Trained): Example => ({
    group,
    sentences: sentences.map(({ features, isRight }) => ({ features: { ...features, ...NO_VECTORS }, isRight })),
  })
  return [...examples, ...examples.map(strip)]
}

/** Steps are quoted together. */
function withOtherSteps(one: RecordedSentence, sentences: readonly RecordedSentence[]): string {
  const isStep = ({ passage, above, features }: RecordedSentence) =>
    features['step'] === 1 && passage === one.passage && above === one.above
  const steps = sentences.filter(isStep).sort((a, b) => a.start - b.start)
  return steps.includes(one) ? steps.map(({ text }) => text).join('\n') : one.text
}

/** True for a sentence that answers, alone or below its headings. */
function isRight({ kind, must, mustNot, accept }: TrustQuestion, { text, above, section }: RecordedSentence): boolean {
  const matches = (held: string) => (pattern: string) => new RegExp(pattern, 'iu').test(held.replace(/\s+/g, ' '))
  if (mustNot.some(matches(text))) return false
  if (kind === 'decline' || kind === 'sibling') return accept.some(matches(text))
  return must.every((pattern) => [text, `${section}\n${above}\n${text}`].some((held) => matches(held)(pattern)))
}

type Best = { question: TrustQuestion; probability: number; isRight: boolean }

function findBest({ question, sentences }: Trained, model: Pick<AnswerModel, 'bias' | 'weights'>): Best {
  const ratings = rateCandidates(
    sentences.map(({ features }) => features),
    { ...model, scale: 1, offset: 0, caution: 1 },
  )
  const probability = Math.max(1e-6, ...ratings.map((rating) => rating.probability))
  const found = ratings.findIndex((rating) => rating.probability === probability)
  return { question, probability: Math.min(1 - 1e-6, probability), isRight: sentences[found]?.isRight ?? false }
}

const THRESHOLDS = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.8]

function printThresholds(best: readonly Best[], model: AnswerModel): void {
  const isUnanswerable = ({ question: { kind } }: Best) => kind === 'decline' || kind === 'sibling'
  const [none, some] = [best.filter(isUnanswerable), best.filter((one) => !isUnanswerable(one))]
  const share = (part: readonly Best[], whole: readonly Best[]) =>
    `${((100 * part.length) / Math.max(1, whole.length)).toFixed(1)} % (${part.length}/${whole.length})`
  const rows = THRESHOLDS.map((threshold) => {
    const isGiven = ({ probability }: Best) => toConfidence(probability, model) >= threshold
    const given = best.filter(isGiven)
    return [
      String(threshold),
      share(
        given.filter((one) => one.isRight),
        given,
      ),
      share(
        none.filter((one) => !isGiven(one) || one.isRight),
        none,
      ),
      share(
        some.filter((one) => isGiven(one) && one.isRight),
        some,
      ),
    ]
  })
  print(table('Held-out folds', ['least confidence', 'given right', 'declined', 'covered'], rows))
}

function printModel({ bias, weights, scale, offset, caution }: AnswerModel): string {
  const lines = Object.entries(weights).map(([name, weight]) => `    ${name}: ${weight},`)
  return `import type { AnswerModel } from './answer-model.ts'

/** Written by \`npm run bench -- train bench/trust/data --write\`. */
export const ANSWER_MODEL: AnswerModel = {
  bias: ${bias},
  scale: ${scale},
  offset: ${offset},
  caution: ${caution},
  weights: {
${lines.join('\n')}
  },
}
`
}
