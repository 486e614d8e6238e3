import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../machine.ts'
import { list, print, table } from '../report.ts'
import { type Service, startService } from '../service.ts'
import { type Asked, askGroup, type Extracted } from './ask-group.ts'
import { drawCalibration, plotAsText } from './draw-calibration.ts'
import { CONFIDENT, calibrate, type Part, shareOf, showPart, type Tally, tallyAnswers, tallyFields } from './tally.ts'
import { readTrustSets, type TrustGroup } from './trust-set.ts'

/** The results of one subfolder. */
type Results = { name: string; groups: readonly TrustGroup[]; asked: readonly Asked[]; extracted: readonly Extracted[] }

/** A figure of a set and the share that is required. */
type Figure = { name: string; least?: number; most?: number; of(results: Results): Part }

const answers = (part: (tally: Tally) => Part) => (results: Results) => part(tallyAnswers(results.asked))
const fields = (outcome: 'right' | 'wrong' | 'not found') => (results: Results) =>
  tallyFields(results.extracted.map((one) => one.outcome))[outcome]
/** Of the questions of memories with corrections. */
const strayed = ({ asked }: Results) => tallyAnswers(asked.filter(({ group }) => group.corrections.length > 0)).strayed

const FIGURES: readonly Figure[] = [
  { name: 'answers given that are right', least: 0.93, of: answers(({ precision }) => precision) },
  { name: 'unanswerable questions declined', least: 0.88, of: answers(({ refused }) => refused) },
  { name: 'answerable questions answered right', least: 0.8, of: answers(({ covered }) => covered) },
  { name: `right of confidence ${CONFIDENT} and more`, least: 0.95, of: answers(({ confident }) => confident) },
  { name: 'corrections that leak onto siblings', most: 0.02, of: answers(({ leaked }) => leaked) },
  { name: 'corrections cited for other questions', of: strayed },
  { name: 'corrections missed', most: 0.03, of: answers(({ missed }) => missed) },
  { name: 'fields extracted right', least: 0.75, of: fields('right') },
  { name: 'fields extracted wrong', most: 0.01, of: fields('wrong') },
  { name: 'fields not found', of: fields('not found') },
]

/**
 * `<folder> [--only <subfolder, group or language>] [--failures] [--plot <file.svg>]`: measures how
 * far answers without a model, corrections and extraction can be trusted, for each subfolder of
 * question groups. False when a required figure of a subfolder is missed.
 */
export async function runTrustBench(args: string[]): Promise<boolean> {
  const options = {
    only: { type: 'string' },
    failures: { type: 'boolean', default: false },
    plot: { type: 'string' },
  } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [folder] = positionals
  if (folder === undefined) throw new Error('a folder with subfolders of question groups is wanted')
  const sets = selectGroups(readTrustSets(folder), values.only)
  if (sets.size === 0) throw new Error('no question group is there')
  const results = await askAll(sets)
  print(describeMachine())
  printFigures(results)
  printBy('language', results, ({ question }) => question.language)
  printBy('class', results, ({ question }) => question.class)
  printBy('kind of question', results, ({ question }) => question.kind)
  printBy('kind of document', results, ({ group }) => group.kind)
  printCalibration(results, values.plot)
  if (values.failures) for (const set of results) printFailures(set)
  return results.every((set) => FIGURES.every((figure) => isMet(figure, figure.of(set))))
}

/** Groups whose subfolder, name or language is `only`; all without it. */
function selectGroups(sets: Map<string, TrustGroup[]>, only: string | undefined): Map<string, TrustGroup[]> {
  if (only === undefined) return sets
  const chosen = [...sets].map(
    ([set, groups]) =>
      [set, groups.filter(({ name, language }) => [set, name, language].includes(only))] as [string, TrustGroup[]],
  )
  return new Map(chosen.filter(([, groups]) => groups.length > 0))
}

async function askAll(sets: ReadonlyMap<string, readonly TrustGroup[]>): Promise<Results[]> {
  const data = mkdtempSync(join(tmpdir(), 'recollect-trust-'))
  const service = await startService(data)
  try {
    const results: Results[] = []
    for (const [name, groups] of sets) results.push(await askSet(service, name, groups))
    return results
  } finally {
    await service.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function askSet(service: Service, name: string, groups: readonly TrustGroup[]): Promise<Results> {
  const [asked, extracted]: [Asked[], Extracted[]] = [[], []]
  for (const group of groups) {
    const own = await askGroup(service, group)
    asked.push(...own.asked)
    extracted.push(...own.extracted)
  }
  return { name, groups, asked, extracted }
}

function printFigures(results: readonly Results[]): void {
  const facts: readonly [string, (set: Results) => number][] = [
    ['groups', ({ groups }) => groups.length],
    ['documents', ({ groups }) => groups.flatMap(({ documents }) => documents).length],
    ['questions', ({ asked }) => asked.length],
    ['fields', ({ extracted }) => extracted.length],
  ]
  const rows = [
    ...facts.map(([name, count]) => [name, '', ...results.map((set) => String(count(set)))]),
    ...FIGURES.map((figure) => [figure.name, goalOf(figure), ...results.map((set) => showPart(figure.of(set)))]),
  ]
  print(table('Trust', ['', 'required', ...results.map(({ name }) => name)], rows))
}

function printBy(what: string, results: readonly Results[], keyOf: (asked: Asked) => string): void {
  const keys = [...new Set(results.flatMap(({ asked }) => asked.map(keyOf)))].sort()
  const rows = keys.map((key) => [
    key,
    ...results.flatMap(({ asked }) => {
      const { questions, precision, refused, covered } = tallyAnswers(asked.filter((one) => keyOf(one) === key))
      return [String(questions), ...[precision, refused, covered].map(showPart)]
    }),
  ])
  const columns = ['questions', 'given right', 'declined', 'covered']
  const head = [what, ...results.flatMap(({ name }) => columns.map((column) => `${name}: ${column}`))]
  print(table(`By ${what}`, head, rows))
}

function printCalibration(results: readonly Results[], plot: string | undefined): void {
  const bins = new Map(results.map(({ name, asked }) => [name, calibrate(asked)]))
  for (const [name, own] of bins) {
    const drawn = own.length === 0 ? 'The answers state no confidence.' : plotAsText(own)
    print(`### Right answers by confidence, ${name}\n\n${drawn}`)
  }
  if (plot !== undefined) writeFileSync(plot, drawCalibration(bins))
}

function printFailures({ name, asked, extracted }: Results): void {
  const isFailure = ({ outcome, isLeak, isMissed }: Asked) =>
    outcome === 'wrong' || outcome === 'wrongly declined' || isLeak || isMissed
  const marks = ({ isLeak, isMissed }: Asked) => `${isLeak ? ', leak' : ''}${isMissed ? ', missed' : ''}`
  const questions = asked.filter(isFailure).map((one) => {
    const { group, question, outcome, confidence, answer } = one
    const said = `${outcome}${marks(one)}${confidence === null ? '' : ` (${confidence})`}`
    return `${group.name}, ${question.kind}, ${question.class}: ${question.text} → ${said}: ${answer}`
  })
  print(list(`Failing questions, ${name}`, questions))
  const missed = extracted
    .filter(({ outcome }) => outcome !== 'right')
    .map(({ group, field, found, outcome }) => {
      const wanted = JSON.stringify(field.value)
      return `${group.name}, ${field.label} (${field.type}): ${outcome}: ${found}, not ${wanted}`
    })
  print(list(`Failing fields, ${name}`, missed))
}

function isMet({ least = 0, most = 1 }: Figure, part: Part): boolean {
  const share = shareOf(part)
  return share === null || (share >= least && share <= most)
}

function goalOf({ least, most }: Figure): string {
  if (least !== undefined) return `≥ ${100 * least} %`
  return most === undefined ? '' : `≤ ${100 * most} %`
}
