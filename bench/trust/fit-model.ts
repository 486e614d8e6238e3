import {
  type AnswerFeatures,
  type AnswerModel,
  ASKS,
  type LinearModel,
} from '../../src/engine/answering/answer-model.ts'

/** A question with its sentences. `isRight` is true for the sentences that answer it. */
export type Example = { group: string; sentences: readonly { features: AnswerFeatures; isRight: boolean }[] }

/** L2 penalty of the standardized weights. */
const PENALTY = 10
const STEPS = 250
const RATE = 0.05
/** Decay rates of Adam (Kingma and Ba 2015, algorithm 1), the second one shorter for few steps. */
const DECAY = { mean: 0.9, variance: 0.99 }
/** Log-odds of a sentence before training. */
const FIRST_BIAS = -3
const DIGITS = 4

/** Features that never speak for a sentence. Their weights are at most 0. */
const AGAINST: ReadonlySet<string> = new Set([
  ...['alignedGap', 'baseGap', 'cosineGap', 'coverageGap', 'missingGap', 'displaced', 'elsewhere', 'foreignHeading'],
  ...[
    'inPassage',
    'isBeside',
    'isOfOther',
    'lacksFigure',
    'lacksKind',
    'lacksSoft',
    'lacksStrong',
    'loose',
    'missing',
    'missingNames',
  ],
  ...['namesElsewhere', 'namesNowhere', 'nounsElsewhere', 'nounsNowhere', 'nowhere', 'othersNowhere', 'replaced'],
  ...['otherMeasure', 'rowLacks', 'sibling', 'uncounted'],
])
/** Features that may speak for and against. All others never speak against a sentence. */
const EITHER: readonly string[] = ['after', 'before', 'between', 'opposite', 'row', 'short']
/** Features that may also speak for and against a best sentence. A perfect sentence lacks them. */
const EITHER_OF_BEST: readonly string[] = ['anyOdds', 'isRightBelow', 'missing', 'othersNowhere']

type Standard = { names: readonly string[]; means: Float64Array; deviations: Float64Array }
type Rows = { rows: Float64Array; isRight: Uint8Array; starts: readonly number[] }

/**
 * Fits the weights of the model. Maximizes the probability of the right sentences together, or of
 * no answer where no sentence is right, with an L2 penalty. No weight has the wrong sign: of two
 * alike features, one would count against perfect sentences. Full-batch Adam. Deterministic.
 */
export function fitWeights(examples: readonly Example[], either: readonly string[] = EITHER): LinearModel {
  const standard = standardize(examples)
  const { names, means, deviations } = standard
  const rows = toRows(examples, standard)
  const size = names.length + 1
  const signs = names.map((name) => (either.includes(name) || name.startsWith(ASKS) ? 0 : AGAINST.has(name) ? -1 : 1))
  const weights = new Float64Array(size)
  weights[names.length] = FIRST_BIAS
  const [mean, variance] = [new Float64Array(size), new Float64Array(size)]
  for (let step = 1; step <= STEPS; step++) {
    const gradient = computeGradient(rows, weights)
    for (let index = 0; index < size; index++) {
      const penalty = index < names.length ? PENALTY * at(weights, index) : 0
      const slope = (penalty - at(gradient, index)) / examples.length
      mean[index] = DECAY.mean * at(mean, index) + (1 - DECAY.mean) * slope
      variance[index] = DECAY.variance * at(variance, index) + (1 - DECAY.variance) * slope * slope
      const corrected = at(mean, index) / (1 - DECAY.mean ** step)
      const spread = Math.sqrt(at(variance, index) / (1 - DECAY.variance ** step))
      weights[index] = at(weights, index) - (RATE * corrected) / (spread + 1e-8)
      if ((signs[index] ?? 0) * at(weights, index) < 0) weights[index] = 0
    }
  }
  const raw = names.map((_, index) => at(weights, index) / at(deviations, index))
  const shift = raw.reduce((sum, weight, index) => sum + weight * at(means, index), 0)
  return {
    bias: round(at(weights, names.length) - shift),
    weights: Object.fromEntries(names.map((name, index) => [name, round(raw[index] ?? 0)])),
  }
}

/** The features of a best sentence; `isRight` is true for an answer. */
export type BestSentence = { group: string; features: AnswerFeatures; isRight: boolean }

/** At least this share of the answers with a confidence of .8 or more is right. */
const SURE = { confidence: 0.8, right: 0.95 }

/**
 * Fits the confidence of the best sentences. A confidence up to .5 is a calibrated probability.
 * Higher ones are nearer to .5, for the safety of `SURE`.
 */
export function fitConfidence(best: readonly BestSentence[]): AnswerModel['confidence'] {
  const examples = best.map(({ group, ...own }) => ({ group, sentences: [own] }))
  return { ...fitWeights(examples, [...EITHER, ...EITHER_OF_BEST]), caution: 1 }
}

/** Returns the caution for held-out sentences with the log-odds that they answer. */
export function fitCaution(best: readonly { odds: number; isRight: boolean }[]): number {
  let [right, sure] = [0, Number.POSITIVE_INFINITY]
  for (const [index, one] of [...best].sort((a, b) => b.odds - a.odds).entries()) {
    right += Number(one.isRight)
    if (right >= SURE.right * (index + 1)) sure = one.odds
  }
  return round(Math.min(1, Math.log(SURE.confidence / (1 - SURE.confidence)) / sure))
}

function standardize(examples: readonly Example[]): Standard {
  const all = examples.flatMap(({ sentences }) => sentences.map(({ features }) => features))
  const names = [...new Set(all.flatMap((features) => Object.keys(features)))].sort()
  const means = Float64Array.from(names, (name) => average(all.map((features) => features[name] ?? 0)))
  const deviations = Float64Array.from(names, (name, index) =>
    Math.sqrt(average(all.map((features) => ((features[name] ?? 0) - at(means, index)) ** 2))),
  )
  const varying = names.flatMap((_, index) => (at(deviations, index) > 0 ? [index] : []))
  return {
    names: varying.map((index) => names[index] ?? ''),
    means: Float64Array.from(varying, (index) => at(means, index)),
    deviations: Float64Array.from(varying, (index) => at(deviations, index)),
  }
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function toRows(examples: readonly Example[], { names, means, deviations }: Standard): Rows {
  const all = examples.flatMap(({ sentences }) => sentences)
  const starts = [0]
  for (const { sentences } of examples) starts.push((starts.at(-1) ?? 0) + sentences.length)
  const rows = new Float64Array(all.length * names.length)
  all.forEach(({ features }, row) => {
    names.forEach((name, index) => {
      rows[row * names.length + index] = ((features[name] ?? 0) - at(means, index)) / at(deviations, index)
    })
  })
  return { rows, isRight: Uint8Array.from(all, ({ isRight }) => Number(isRight)), starts }
}

/** Gradient of the log-likelihood. The last weight is the bias. */
function computeGradient({ rows, isRight, starts }: Rows, weights: Float64Array): Float64Array {
  const size = weights.length - 1
  const gradient = new Float64Array(weights.length)
  const odds = new Float64Array(isRight.length)
  for (let example = 0; example + 1 < starts.length; example++) {
    const [from, to] = [starts[example] ?? 0, starts[example + 1] ?? 0]
    for (let row = from; row < to; row++) odds[row] = scoreRow(rows, row * size, weights)
    const own = odds.subarray(from, to)
    const highest = Math.max(0, ...own)
    own.forEach((score, place) => {
      own[place] = Math.exp(score - highest)
    })
    const total = own.reduce((sum, chance) => sum + chance, Math.exp(-highest))
    const right = own.reduce((sum, chance, place) => sum + chance * at(isRight, from + place), 0)
    for (let row = from; row < to; row++) {
      const chance = at(odds, row)
      const error = (isRight[row] === 1 ? chance / right : 0) - chance / total
      for (let feature = 0; feature < size; feature++)
        gradient[feature] = (gradient[feature] ?? 0) + error * (rows[row * size + feature] ?? 0)
      gradient[size] = (gradient[size] ?? 0) + error
    }
  }
  return gradient
}

/** The log-odds of the row whose first feature is at `start`. */
function scoreRow(rows: Float64Array, start: number, weights: Float64Array): number {
  const size = weights.length - 1
  let score = weights[size] ?? 0
  for (let feature = 0; feature < size; feature++) score += (weights[feature] ?? 0) * (rows[start + feature] ?? 0)
  return score
}

function at(values: Float64Array | Uint8Array, index: number): number {
  return values[index] ?? 0
}

function round(value: number): number {
  return Number(value.toPrecision(DIGITS))
}
