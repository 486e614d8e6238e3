import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { EvaluateOptions } from '../../client/client.ts'
import type { Evaluation, KnownQuestion } from '../../client/findings.ts'
import { readQuestions } from '../../client/read-questions.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { refuseFile, wholeNumber, withMemory } from '../options.ts'
import { asJson, oneLine, textTable, writeWarnings } from '../printing.ts'

type Modes = NonNullable<EvaluateOptions['modes']>
type Options = { memory?: string; modes: Modes; topK: number; failing: number; minNdcg?: number; json?: true }

const MODES: Modes = ['lexical', 'semantic', 'hybrid', 'auto']

/** `recollect evaluate`. */
export function addEvaluateCommand(program: Command, context: CliContext): void {
  withMemory(program.command('evaluate <questions.jsonl>'))
    .description('measure search quality with questions whose answers are known; - reads standard input')
    .option('--modes <modes>', 'comma-separated modes: lexical, semantic, hybrid, auto', parseModes, MODES.slice(0, 3))
    .option('-k, --top-k <number>', 'top documents to evaluate per answer', wholeNumber(1, 100), 10)
    .option('--failing <number>', 'number of worst questions to list', wholeNumber(0, 10_000), 10)
    .option('--min-ndcg <number>', 'exit with status 1 if a mode scores lower, 0 to 1', parseShare)
    .option('--json', 'print the answer as JSON')
    .action((path: string, options: Options) => evaluate(context, path, options))
}

async function evaluate(context: CliContext, path: string, options: Options): Promise<void> {
  const questions = await readFrom(context, path)
  const client = openClient(context)
  const { id } = await requireMemory(client, options.memory)
  const { modes, topK } = options
  const onProgress = (done: number) => {
    if (done < questions.length) context.writeError(`${done} of ${questions.length} questions are asked.\n`)
  }
  const answer = await client.evaluate(id, questions, { modes, topK, onProgress, signal: context.signal })
  if (options.json) context.writeOut(asJson(answer))
  else {
    writeWarnings(context, answer.warnings)
    context.writeOut(describeModes(answer) + describeFailing(answer, options.failing))
  }
  requireNdcg(answer, options.minNdcg)
}

async function readFrom({ readInput }: CliContext, path: string): Promise<KnownQuestion[]> {
  const bytes = path === '-' ? await readInput() : await readFile(path).catch(refuseFile(path))
  try {
    const questions = readQuestions(Buffer.from(bytes).toString('utf8'))
    if (questions.length === 0) throw new SyntaxError('There is no question in it.')
    return questions
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`${path === '-' ? 'Standard input' : path} cannot be used. ${error.message}`)
  }
}

function describeModes({ results, topK }: Evaluation): string {
  const header = ['MODE', `NDCG@${topK}`, `RECALL@${topK}`, 'MRR', `PRECISION@${topK}`, 'MS']
  const rows = results.map(({ mode, ndcg, recall, mrr, precision, meanMs }) => [
    mode,
    ...[ndcg, recall, mrr, precision].map((figure) => figure.toFixed(3)),
    meanMs.toFixed(1),
  ])
  return textTable(header, rows)
}

/** Questions with the lowest nDCG over all modes, except perfect ones. */
function describeFailing({ results, perQuestion }: Evaluation, most: number): string {
  const count = results.length
  const worst = Array.from({ length: perQuestion.length / count }, (_, index) => {
    const all = perQuestion.slice(index * count, (index + 1) * count)
    return { all, ndcg: all.reduce((sum, { ndcg }) => sum + ndcg, 0) / count }
  })
    .filter(({ ndcg }) => ndcg < 1)
    .sort((a, b) => a.ndcg - b.ndcg)
    .slice(0, most)
  if (worst.length === 0) return ''
  const header = [...results.map(({ mode }) => mode.toUpperCase()), 'ANSWERED WORST']
  const rows = worst.map(({ all }) => [
    ...all.map(({ rank }) => (rank === null ? '-' : `${rank}.`)),
    oneLine(all[0]?.query ?? ''),
  ])
  return `\n${textTable(header, rows)}`
}

function requireNdcg({ results }: Evaluation, least: number | undefined): void {
  const below = results.filter(({ ndcg }) => least !== undefined && ndcg < least)
  if (below.length === 0) return
  const modes = below.map(({ mode, ndcg }) => `${mode} has ${ndcg.toFixed(3)}`)
  throw new Error(`nDCG is below ${least}: ${modes.join(', ')}.`)
}

function parseModes(text: string): Modes {
  const modes = text.split(',').map((mode) => mode.trim())
  const known = MODES.filter((mode) => modes.includes(mode))
  if (known.length === new Set(modes).size) return known
  throw new InvalidArgumentError(`The modes are ${MODES.join(', ')}.`)
}

function parseShare(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('It must be a number from 0 to 1.')
}
