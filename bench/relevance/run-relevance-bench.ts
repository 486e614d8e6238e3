import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../machine.ts'
import { print, table } from '../report.ts'
import { type Service, startService } from '../service.ts'
import { ms } from '../timings.ts'
import { type AskedQuery, askSet, printAnswers } from './ask-set.ts'
import { GOALS, type Goal, HYBRID_SHARE, MODEL_GOALS, reaches } from './goals.ts'
import { fillSet, type Measured, measureSet } from './measure-set.ts'
import { type JudgedSet, OWN_SETS, readJudgedSets } from './read-judged-sets.ts'

/** The default first: goals apply to its figure. */
const MODES = ['auto', 'hybrid', 'lexical', 'semantic']

/** The figures of every mode on a set, and its questions asked where the set quotes answers. */
type SetFigures = { name: string; modes: ReadonlyMap<string, Measured>; asked: readonly AskedQuery[] }

/**
 * `[folder] [--sets a,b] [--modes auto,hybrid,lexical,semantic] [--embedder onnx:folder] [--save
 * file]`: measures retrieval on sets with human judgements over HTTP, with default settings except
 * the embedder. Without a folder, the sets are those of the project. `--save` writes the figures of
 * retrieval as JSON. False when the first mode misses the goal of a set. False when hybrid search
 * gives less than .98 of its better retriever, where all three were measured.
 */
export async function runRelevanceBench(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sets: { type: 'string' },
      modes: { type: 'string' },
      embedder: { type: 'string' },
      save: { type: 'string' },
    },
  })
  const [folder = OWN_SETS] = positionals
  const named = values.sets?.split(',') ?? null
  const sets = readJudgedSets(folder).filter(({ name }) => named?.includes(name) ?? true)
  const modes = values.modes?.split(',') ?? MODES
  const data = mkdtempSync(join(tmpdir(), 'recollect-relevance-'))
  const { embedder } = values
  const goals = embedder === undefined ? GOALS : MODEL_GOALS
  const service = await startService(data, [], embedder === undefined ? {} : listModelSettings(embedder))
  try {
    print(describeMachine())
    const figures: SetFigures[] = []
    for (const set of sets) figures.push(await measureModes(service, set, modes))
    printFigures(figures, modes, goals)
    for (const each of figures) {
      printParts(each)
      if (each.asked.length > 0) printAnswers(each.name, each.asked)
    }
    if (values.save !== undefined) save(values.save, figures)
    return figures.every((each) => missesOf(each, goals[each.name]).length === 0)
  } finally {
    await service.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Settings of an embedder: an endpoint's address and key are those of this process. */
function listModelSettings(embedder: string): Record<string, string> {
  const own = ['OPENAI_BASE_URL', 'OPENAI_API_KEY'].map((name) => [name, process.env[name] ?? ''] as const)
  return { RECOLLECT_EMBEDDER: embedder, ...Object.fromEntries(own.filter(([, value]) => value !== '')) }
}

async function measureModes(service: Service, set: JudgedSet, modes: readonly string[]): Promise<SetFigures> {
  const filled = await fillSet(service, set)
  const measured = new Map<string, Measured>()
  for (const mode of modes) measured.set(mode, await measureSet(service, filled, mode))
  return { name: set.name, modes: measured, asked: await askSet(service, filled) }
}

function printFigures(
  figures: readonly SetFigures[],
  modes: readonly string[],
  goals: Readonly<Record<string, Goal>>,
): void {
  const rows = figures.map((each) => [
    each.name,
    String([...each.modes.values()][0]?.queries ?? 0),
    ...modes.map((mode) => digits(each.modes.get(mode)?.ndcg)),
    digits(goals[each.name]?.reach),
    digits(goals[each.name]?.aim),
    missesOf(each, goals[each.name]).join('; ') || 'reached',
  ])
  print(table('nDCG@10', ['set', 'queries', ...modes, 'to reach', 'to aim at', ''], rows))
  const others = figures.flatMap(({ name, modes: measured }) =>
    [...measured].map(([mode, { recall, reciprocalRank, p50Ms }]) => [
      name,
      mode,
      digits(recall),
      digits(reciprocalRank),
      ms(p50Ms),
    ]),
  )
  print(table('The same queries', ['set', 'mode', 'recall@10', 'MRR@10', 'find, p50, ms'], others))
}

/** nDCG@10 and right first hits of the parts of a set; nothing where its queries have none. */
function printParts({ name, modes }: SetFigures): void {
  const [first] = modes.values()
  if (first === undefined || first.parts.length === 0) return
  const rows = first.parts.map(({ by, part, queries }, index) => [
    ...[by, part, String(queries)],
    ...[...modes.values()].flatMap(({ parts }) => [digits(parts[index]?.ndcg), percent(parts[index]?.first)]),
  ])
  const columns = [...modes.keys()].flatMap((mode) => [mode, 'first hit'])
  print(table(`nDCG@10 and right first hits of parts, ${name}`, ['by', 'part', 'queries', ...columns], rows))
}

/** The missed goals of a set, a few words each. */
function missesOf({ modes }: SetFigures, goal: Goal | undefined): string[] {
  const [first] = modes.values()
  const isBelow = goal !== undefined && first !== undefined && !reaches(first.ndcg, goal.reach)
  const share = shareOfBetter(modes)
  return [
    ...(isBelow ? ['below its goal'] : []),
    ...(share !== null && share < HYBRID_SHARE ? [`${digits(share)} of the better leg`] : []),
  ]
}

/** The ratio of hybrid search to its better retriever; `null` unless all three were measured. */
function shareOfBetter(modes: SetFigures['modes']): number | null {
  const [hybrid, lexical, semantic] = [modes.get('hybrid'), modes.get('lexical'), modes.get('semantic')]
  if (hybrid === undefined || lexical === undefined || semantic === undefined) return null
  return hybrid.ndcg / Math.max(lexical.ndcg, semantic.ndcg)
}

function save(path: string, figures: readonly SetFigures[]): void {
  const plain = Object.fromEntries(figures.map(({ name, modes }) => [name, Object.fromEntries(modes)]))
  writeFileSync(path, `${JSON.stringify(plain, null, 1)}\n`)
}

function digits(figure: number | undefined): string {
  return figure === undefined ? '' : figure.toFixed(4)
}

function percent(share: number | undefined): string {
  return share === undefined ? '' : `${(100 * share).toFixed(0)} %`
}
