import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type AnswerModel,
  type LinearModel,
  rateCandidates,
  rateOdds,
  readAnswerFeatures,
  toConfidence,
} from '../../src/engine/answering/answer-model.ts'
import { print, table } from '../report.ts'
import { startService } from '../service.ts'
import { askGroup } from './ask-group.ts'
import { type BestSentence, type Example, fitCaution, fitConfidence, fitWeights } from './fit-model.ts'
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
type TrainedSentence = Example['sentences'][number] & { text: string }
type Trained = Omit<Example, 'sentences'> & {
  question: TrustQuestion
  fold: number
  hasVectors: boolean
  sentences: readonly TrainedSentence[]
}

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
    return withStripped(examples.filter((example) => example.fold === fold)).flatMap((one) => findBest(one, model))
  })
  const rated = rateHeldOut(best)
  const caution = fitCaution(rated)
  printThresholds({ examples, rated, caution })
  if (values.write)
    writeFileSync(
      WEIGHTS,
      printModel({ ...fitWeights(withStripped(examples)), confidence: { ...fitConfidence(best), caution } }),
    )
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
          text: one.text,
          isRight: isRight(question, { ...one, text: withOtherSteps(one, sentences) }),
        }))
        return { group: group.name, question, sentences: judged, fold: index % FOLDS, hasVectors: true }
      }),
  )
}

/** The examples, and the same without vectors. */
function withStripped(examples: readonly Trained[]): Trained[] {
  const strip = ({ sentences, ...rest }: Trained): Trained => ({
    ...rest,
    hasVectors: false,
    sentences: sentences.map(({ features, ...own }) => ({ ...own, features: { ...features, ...NO_VECTORS } })),
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
function isRight({ kind, must, mustNot, accept }: TrustQuestion, { text, above, headings }: RecordedSentence): boolean {
  const matches = (held: string) => (pattern: string) => new RegExp(pattern, 'iu').test(held.replace(/\s+/g, ' '))
  if (mustNot.some(matches(text))) return false
  if (kind === 'decline' || kind === 'sibling') return accept.some(matches(text))
  return must.every((pattern) => [text, `${headings}\n${above}\n${text}`].some((held) => matches(held)(pattern)))
}

type Best = BestSentence & Pick<Trained, 'question' | 'fold' | 'hasVectors'>
type RatedBest = Best & { odds: number }

/** Returns the sentence that would be quoted; none without sentences. */
function findBest({ sentences, ...example }: Trained, model: LinearModel): Best[] {
  const ratings = rateCandidates(
    sentences.map(({ features }) => features),
    model,
  )
  const rated = sentences.map((one, index) => ({ ...one, probability: ratings[index]?.probability ?? 0 }))
  const [best] = rated
    .filter(({ features }) => features['isOfOther'] === 0)
    .sort((a, b) => b.probability - a.probability)
  if (best === undefined) return []
  return [{ ...example, features: readAnswerFeatures(rated, best), isRight: best.isRight }]
}

/** Rates each sentence by a confidence that was fitted on the other folds. */
function rateHeldOut(best: readonly Best[]): RatedBest[] {
  return [...Array(FOLDS).keys()].flatMap((fold) => {
    const model = fitConfidence(best.filter((one) => one.fold !== fold))
    const own = best.filter((one) => one.fold === fold && one.hasVectors)
    return own.map((one) => ({ ...one, odds: rateOdds(one.features, model) }))
  })
}

const THRESHOLDS = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.8]

type HeldOut = { examples: readonly Trained[]; rated: readonly RatedBest[]; caution: number }

function printThresholds({ examples, rated, caution }: HeldOut): void {
  const isUnanswerable = ({ question: { kind } }: Pick<Trained, 'question'>) => kind === 'decline' || kind === 'sibling'
  const none = examples.filter(isUnanswerable)
  const share = (part: number, whole: number) =>
    `${((100 * part) / Math.max(1, whole)).toFixed(1)} % (${part}/${whole})`
  const rows = THRESHOLDS.map((threshold) => {
    const given = rated.filter(({ odds }) => toConfidence(odds, caution) >= threshold)
    const right = given.filter(({ isRight }) => isRight)
    return [
      String(threshold),
      share(right.length, given.length),
      share(none.length - given.filter((one) => isUnanswerable(one) && !one.isRight).length, none.length),
      share(right.filter((one) => !isUnanswerable(one)).length, examples.length - none.length),
    ]
  })
  print(table('Held-out folds', ['least confidence', 'given right', 'declined', 'covered'], rows))
}

function printModel({ bias, weights, confidence }: AnswerModel): string {
  const lines = (all: AnswerModel['weights']) => Object.entries(all).map(([name, weight]) => `${name}: ${weight},`)
  return `import type { AnswerModel } from './answer-model.ts'

/** Written by \`npm run bench -- train bench/trust/data --write\`. */
export const ANSWER_MODEL: AnswerModel = {
  bias: ${bias},
  weights: {
${lines(weights)
  .map((line) => `    ${line}`)
  .join('\n')}
  },
  confidence: {
    bias: ${confidence.bias},
    caution: ${confidence.caution},
    weights: {
${lines(confidence.weights)
  .map((line) => `      ${line}`)
  .join('\n')}
    },
  },
}
`
}
