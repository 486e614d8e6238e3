import { type Command, Option } from 'commander'
import type { Hit } from '../../client/findings.ts'
import { openClient } from '../connection.ts'
import { collect, wholeNumber, withMemory } from '../options.ts'
import { describeDocumentExplanation, describeExplanation } from '../printing/describe-explanation.ts'
import { asJson, describePlace, manyLines, oneLine, plainSnippet } from '../printing/printable.ts'
import { writeWarnings } from '../printing/write-warnings.ts'
import { requireMemory } from '../require-memory.ts'
import type { Surroundings } from '../surroundings.ts'

const MODES = ['auto', 'hybrid', 'semantic', 'lexical'] as const

type FindOptions = {
  memory?: string
  limit: number
  mode: (typeof MODES)[number]
  tag?: string[]
  full?: true
  explain?: true
  explainDocument?: string
  json?: true
}

/** `recollect find`. */
export function addFindCommand(program: Command, surroundings: Surroundings): void {
  withMemory(program.command('find <query...>'))
    .description('find passages; several words are one query')
    .option('-n, --limit <number>', 'hits at most', wholeNumber(1, 100), 10)
    .addOption(new Option('--mode <mode>', 'how to search').choices(MODES).default('auto'))
    .option('--tag <tag>', 'only documents with this tag; give it again for more tags', collect)
    .option('--full', 'show each passage whole')
    .option('--explain', 'say what the score of each hit is made of')
    .option('--explain-document <id>', 'say where this document stands, or why it does not')
    .option('--json', 'print the answer as JSON')
    .action((words: string[], options: FindOptions) => find(surroundings, words.join(' '), options))
}

async function find(surroundings: Surroundings, query: string, options: FindOptions): Promise<void> {
  const client = openClient(surroundings)
  const { id } = await requireMemory(client, options.memory)
  const { limit, mode, tag, full, json, explain, explainDocument } = options
  const filter = tag === undefined ? {} : { filter: { tags: tag } }
  const { signal, isTerminal } = surroundings
  const why = {
    ...(explain === undefined ? {} : { explain }),
    ...(explainDocument === undefined ? {} : { explainDocumentId: explainDocument }),
  }
  const answer = await client.find(id, query, { limit, mode, highlight: true, ...filter, ...why, signal })
  if (json) return surroundings.writeOut(asJson(answer))
  writeWarnings(surroundings, answer.warnings)
  if (answer.hits.length === 0) surroundings.writeError('Nothing was found.\n')
  for (const hit of answer.hits) surroundings.writeOut(describeHit(hit, { full: full ?? false, isTerminal }))
  const { explainedDocument: missed } = answer
  if (missed !== undefined) surroundings.writeOut(`\n${describeDocumentExplanation(missed)}`)
}

function describeHit(hit: Hit, { full, isTerminal }: { full: boolean; isTerminal: boolean }): string {
  const { rank, score, kind, section, documentId, text, snippet } = hit
  const under = section === null || oneLine(section) === oneLine(hit.title) ? '' : ` · ${oneLine(section)}`
  const place = kind === 'correction' ? 'correction' : describePlace(hit) + under
  const passage = full ? manyLines(text).trimEnd().replaceAll('\n', '\n   ') : plainSnippet(snippet, isTerminal)
  const why = hit.explanation === undefined ? '' : describeExplanation(hit.explanation, '   ')
  return `${rank}. ${place}  [${score.toFixed(2)}]  ${documentId}\n   ${passage}\n${why}`
}
