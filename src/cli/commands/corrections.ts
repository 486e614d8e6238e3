import type { Command } from 'commander'
import type { Correction } from '../../client/resources.ts'
import { openClient } from '../connection.ts'
import { wholeNumber, withMemory } from '../options.ts'
import { asJson, describePlace, oneLine, shortTime } from '../printing/printable.ts'
import { writeRest } from '../printing/write-rest.ts'
import { requireMemory } from '../require-memory.ts'
import type { Surroundings } from '../surroundings.ts'

type ListOptions = { memory?: string; limit: number; json?: true }

/** `recollect corrections`. */
export function addCorrectionsCommand(program: Command, surroundings: Surroundings): void {
  withMemory(program.command('corrections'))
    .description('list the corrections of a memory, newest first, with what each of them last stood before')
    .option('-n, --limit <number>', 'corrections at most', wholeNumber(1, 100), 20)
    .option('--json', 'print the page as JSON')
    .action((options: ListOptions) => list(surroundings, options))
}

async function list(surroundings: Surroundings, { memory, limit, json }: ListOptions): Promise<void> {
  const client = openClient(surroundings)
  const { id } = await requireMemory(client, memory)
  const page = await client.corrections.listPage(id, { limit }, { signal: surroundings.signal })
  if (json) return surroundings.writeOut(asJson(page))
  for (const correction of page.corrections) surroundings.writeOut(describe(correction))
  writeRest(surroundings, page.corrections.length, page)
}

function describe({ id, statement, createdAt, expiresAt, isExpired, lastOutranked }: Correction): string {
  const until = expiresAt === null ? '' : `, ${isExpired ? 'expired' : 'until'} ${shortTime(expiresAt)}`
  const head = `${id}  ${shortTime(createdAt)}${until}\n  ${oneLine(statement)}\n`
  if (lastOutranked === null) return head
  const places = lastOutranked.passages.map((passage) => `    ${describePlace(passage)}  ${passage.chunkId}\n`)
  return `${head}  last stood before, ${shortTime(lastOutranked.at)}:\n${places.join('')}`
}
