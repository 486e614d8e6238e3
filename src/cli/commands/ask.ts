import type { Command } from 'commander'
import type { AskAnswer } from '../../client/answers.ts'
import { openClient } from '../connection.ts'
import { wholeNumber, withMemory } from '../options.ts'
import { asJson, describePlace, manyLines } from '../printing/printable.ts'
import { writeWarnings } from '../printing/write-warnings.ts'
import { requireMemory } from '../require-memory.ts'
import type { Surroundings } from '../surroundings.ts'

type AskOptions = { memory?: string; chunks: number; json?: true }

/** `recollect ask`. */
export function addAskCommand(program: Command, surroundings: Surroundings): void {
  withMemory(program.command('ask <question...>'))
    .description('answer a question, as it is written, with its sources as footnotes')
    .option('-c, --chunks <number>', 'passages the answer is made of, at most', wholeNumber(1, 100), 10)
    .option('--json', 'print the whole answer as JSON, with its sources')
    .action((words: string[], options: AskOptions) => ask(surroundings, words.join(' '), options))
}

async function ask(surroundings: Surroundings, question: string, options: AskOptions): Promise<void> {
  const client = openClient(surroundings)
  const { id } = await requireMemory(client, options.memory)
  const asked = { maxContextChunks: options.chunks, signal: surroundings.signal }
  if (options.json) {
    return surroundings.writeOut(asJson(await client.ask(id, question, { ...asked, includeSources: true })))
  }
  for await (const event of client.askStream(id, question, asked)) {
    if (event.type === 'token') surroundings.writeOut(manyLines(event.text))
    if (event.type !== 'done') continue
    surroundings.writeOut(`\n${footnotes(event.answer)}`)
    writeWarnings(surroundings, event.answer.warnings)
  }
}

/** A line for each place that the answer cites, after an empty one; nothing where it cites none. */
function footnotes({ citations }: AskAnswer): string {
  const lines = citations
    .toSorted((a, b) => a.index - b.index)
    .map((citation) => `[${citation.index}] ${describePlace(citation)}  ${citation.documentId}\n`)
  return lines.length === 0 ? '' : `\n${[...new Set(lines)].join('')}`
}
