import { type Command, Option } from 'commander'
import type { AskAnswer } from '../../client/answers.ts'
import type { DocumentExplanation, Hit, HitExplanation } from '../../client/findings.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { Unanswered } from '../failures.ts'
import { type FilterOptions, toFilterOption, withFilter } from '../filter-options.ts'
import { share, wholeNumber, withMemory } from '../options.ts'
import { asJson, describePlace, manyLines, oneLine, plainSnippet, writeWarnings } from '../printing.ts'

const PROJECT_HELP = 'search the memories of this project, in place of one memory'
const MODES = ['auto', 'hybrid', 'semantic', 'lexical'] as const

type FindOptions = FilterOptions & {
  memory?: string
  project?: string
  limit: number
  mode: (typeof MODES)[number]
  minScore?: number
  allCopies?: true
  full?: true
  explain?: true
  explainDocument?: string
  json?: true
}

/** `recollect find`. */
export function addFindCommand(program: Command, context: CliContext): void {
  withFilter(withMemory(program.command('find <query...>')))
    .description('find passages; several words are one query')
    .option('--project <id>', PROJECT_HELP)
    .option('-n, --limit <number>', 'maximum number of hits', wholeNumber(1, 100), 10)
    .addOption(new Option('--mode <mode>', 'how to search').choices(MODES).default('auto'))
    .option('--min-score <score>', 'leave out documents with a lower score, 0 to 1', share)
    .option('--all-copies', 'show every copy of a passage')
    .option('--full', 'show complete passages')
    .option('--explain', 'explain the score of each hit')
    .option('--explain-document <id>', 'explain the rank of this document, or why it was not found')
    .option('--json', 'print the answer as JSON')
    .action((words: string[], options: FindOptions) => find(context, words.join(' '), options))
}

async function find(context: CliContext, query: string, options: FindOptions): Promise<void> {
  const client = openClient(context)
  const { full, json, project: projectId } = options
  const { signal, isTerminal } = context
  const asked = { ...toFindOptions(options), signal }
  const answer =
    projectId === undefined
      ? await client.find((await requireMemory(client, options.memory)).id, query, asked)
      : await client.findAcross({ projectId }, query, asked)
  if (json) return context.writeOut(asJson(answer))
  writeWarnings(context, answer.warnings)
  if (answer.hits.length === 0) context.writeError('Nothing was found.\n')
  for (const hit of answer.hits) context.writeOut(describeHit(hit, { full: full ?? false, isTerminal }))
  const { explainedDocument: missed } = answer
  if (missed !== undefined) context.writeOut(`\n${describeDocumentExplanation(missed)}`)
}

function toFindOptions({ limit, mode, minScore, allCopies, explain, explainDocument, ...rest }: FindOptions) {
  return {
    limit,
    mode,
    highlight: true,
    ...toFilterOption(rest),
    ...(minScore === undefined ? {} : { minScore }),
    ...(allCopies === undefined ? {} : { collapseDuplicates: false }),
    ...(explain === undefined ? {} : { explain }),
    ...(explainDocument === undefined ? {} : { explainDocumentId: explainDocument }),
  }
}

function describeHit(hit: Hit, { full, isTerminal }: { full: boolean; isTerminal: boolean }): string {
  const { rank, score, kind, section, documentId, text, snippet, duplicates } = hit
  const under = section === null || oneLine(section) === oneLine(hit.title) ? '' : ` · ${oneLine(section)}`
  const place = kind === 'correction' ? 'correction' : describePlace(hit) + under
  const passage = full ? manyLines(text).trimEnd().replaceAll('\n', '\n   ') : plainSnippet(snippet, isTerminal)
  const why = hit.explanation === undefined ? '' : describeExplanation(hit.explanation, '   ')
  const copies = duplicates === 0 ? '' : `  (${pluralize(duplicates, 'copy', 'copies')})`
  return `${rank}. ${place}  [${score.toFixed(2)}]  ${documentId}${copies}\n   ${passage}\n${why}`
}

type AskOptions = FilterOptions & {
  memory?: string
  project?: string
  chunks: number
  minConfidence?: number
  json?: true
}

/** `recollect ask`. */
export function addAskCommand(program: Command, context: CliContext): void {
  withFilter(withMemory(program.command('ask <question...>')))
    .description('answer a question, streamed, with sources as footnotes; exits with 3 if there is no answer')
    .option('--project <id>', PROJECT_HELP)
    .option('-c, --chunks <number>', 'maximum passages used for the answer', wholeNumber(1, 100), 10)
    .option('--min-confidence <share>', 'decline quotes of a lower confidence, 0 to 1', share)
    .option('--json', 'print the whole answer as JSON, with its sources')
    .action((words: string[], options: AskOptions) => ask(context, words.join(' '), options))
}

async function ask(context: CliContext, question: string, options: AskOptions): Promise<void> {
  const client = openClient(context)
  const { chunks: maxContextChunks, minConfidence, project: projectId } = options
  const strict = minConfidence === undefined ? {} : { minConfidence }
  const asked = { maxContextChunks, ...strict, ...toFilterOption(options), signal: context.signal }
  if (projectId !== undefined) {
    const answer = await client.askAcross({ projectId }, question, { ...asked, includeSources: options.json ?? false })
    if (!options.json) writeAnswer(context, answer)
    return finish(context, answer, options)
  }
  const { id } = await requireMemory(client, options.memory)
  if (options.json) return finish(context, await client.ask(id, question, { ...asked, includeSources: true }), options)
  for await (const event of client.askStream(id, question, asked)) {
    if (event.type === 'token') context.writeOut(manyLines(event.text))
    if (event.type !== 'done') continue
    context.writeOut(`\n${footnotes(event.answer)}`)
    writeWarnings(context, event.answer.warnings)
    finish(context, event.answer, options)
  }
}

/** Prints the answer for scripts, and rejects a declined one. */
function finish(context: CliContext, answer: AskAnswer, { json }: AskOptions): void {
  if (json) context.writeOut(asJson(answer))
  if (!answer.answered) throw new Unanswered()
}

function writeAnswer(context: CliContext, answer: AskAnswer): void {
  context.writeOut(`${manyLines(answer.answer)}\n${footnotes(answer)}`)
  writeWarnings(context, answer.warnings)
}

/** A line per cited place after an empty line; empty without citations. */
function footnotes({ citations }: AskAnswer): string {
  const lines = citations
    .toSorted((a, b) => a.index - b.index)
    .map((citation) => `[${citation.index}] ${describePlace(citation)}  ${citation.documentId}\n`)
  return lines.length === 0 ? '' : `\n${[...new Set(lines)].join('')}`
}

/**
 * Parts of a hit's score, a line each, then the terms and the maximum that all scores are relative
 * to. Each line starts with `indent`.
 */
export function describeExplanation({ parts, top, terms }: HitExplanation, indent: string): string {
  const lines = parts.map(({ points, message }) => `${points.toFixed(2).padStart(5)}  ${oneLine(message)}`)
  const found = terms.filter(({ count }) => count > 0).map(({ term, words }) => `${term} (${words.join(', ')})`)
  const missed = terms
    .filter(({ count }) => count === 0)
    .flatMap(({ term, asked }) => (asked.length > 0 ? asked : [term]))
  const matched = found.length === 0 ? [] : [`terms  ${oneLine(found.join(', '))}`]
  const missing = missed.length === 0 ? [] : [`not there  ${oneLine(missed.join(', '))}`]
  const measure = top === null ? [] : [oneLine(top.message)]
  return [...lines, ...matched, ...missing, ...measure].map((line) => `${indent}${line}\n`).join('')
}

/** Rank of a document, or why it was not found. */
export function describeDocumentExplanation({ documentId, title, message, explanation }: DocumentExplanation): string {
  const name = title === null ? documentId : `${oneLine(title)}  ${documentId}`
  const parts = explanation === null ? '' : describeExplanation(explanation, '   ')
  return `${name}\n   ${oneLine(message)}\n${parts}`
}
