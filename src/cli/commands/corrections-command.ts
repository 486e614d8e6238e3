import { type Command, InvalidArgumentError } from 'commander'
import type { Correction } from '../../client/resources.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { collect, parseExpiry, wholeNumber, withMemory } from '../options.ts'
import { asJson, describePlace, oneLine, plainSnippet, shortTime, writeRest } from '../printing.ts'

type CorrectOptions = { memory?: string; topic?: string[]; boost?: number; expires?: string; json?: true }

/** `recollect correct`. */
export function addCorrectCommand(program: Command, context: CliContext): void {
  withMemory(program.command('correct <statement...>'))
    .description('add a correction that is ranked first for matching queries, and print its id')
    .option('--topic <topic>', 'topic of the correction; repeatable', collect)
    .option('--boost <number>', 'weight, above 0 and at most 10 (default: 2)', parseBoost)
    .option('--expires <when>', 'expiry: a span (12h, 90d, 6w), a date or a time (default: never)', (text) =>
      parseExpiry(text, context.now()),
    )
    .option('--json', 'print the whole correction as JSON')
    .action((words: string[], options: CorrectOptions) => correct(context, words.join(' '), options))
}

async function correct(context: CliContext, statement: string, options: CorrectOptions): Promise<void> {
  const client = openClient(context)
  const { id } = await requireMemory(client, options.memory)
  const { topic, boost, expires, json } = options
  const correction = await client.corrections.add(id, {
    statement,
    ...(topic === undefined ? {} : { topics: topic }),
    ...(boost === undefined ? {} : { boost }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
  })
  context.writeOut(json ? asJson(correction) : `${correction.id}\n`)
  if (!json) context.writeError(describeOutranked(correction))
}

/** Passages that the correction outranks, for the user; empty if there are none. */
function describeOutranked({ outranks }: Correction): string {
  const lines = (outranks ?? []).map(
    (passage) => `  ${describePlace(passage)}: ${plainSnippet(passage.snippet, false)}\n`,
  )
  return lines.length === 0 ? '' : `Outranks:\n${lines.join('')}`
}

function parseBoost(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value > 0 && value <= 10) return value
  throw new InvalidArgumentError('It must be a number above 0 and at most 10.')
}

type ListOptions = { memory?: string; limit: number; json?: true }

/** `recollect corrections`. */
export function addCorrectionsCommand(program: Command, context: CliContext): void {
  withMemory(program.command('corrections'))
    .description('list the corrections of a memory, newest first, with the passages each last outranked')
    .option('-n, --limit <number>', 'maximum number of corrections', wholeNumber(1, 100), 20)
    .option('--json', 'print the page as JSON')
    .action((options: ListOptions) => list(context, options))
}

async function list(context: CliContext, { memory, limit, json }: ListOptions): Promise<void> {
  const client = openClient(context)
  const { id } = await requireMemory(client, memory)
  const page = await client.corrections.listPage(id, { limit }, { signal: context.signal })
  if (json) return context.writeOut(asJson(page))
  for (const correction of page.corrections) context.writeOut(describe(correction))
  writeRest(context, page.corrections.length, page)
}

function describe({ id, statement, createdAt, expiresAt, isExpired, lastOutranked }: Correction): string {
  const until = expiresAt === null ? '' : `, ${isExpired ? 'expired' : 'until'} ${shortTime(expiresAt)}`
  const head = `${id}  ${shortTime(createdAt)}${until}\n  ${oneLine(statement)}\n`
  if (lastOutranked === null) return head
  const places = lastOutranked.passages.map((passage) => `    ${describePlace(passage)}  ${passage.chunkId}\n`)
  return `${head}  last outranked, ${shortTime(lastOutranked.at)}:\n${places.join('')}`
}
