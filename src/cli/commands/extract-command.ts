import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { ExtractAnswer } from '../../client/answers.ts'
import type { Client } from '../../client/client.ts'
import type { ExtractedField } from '../../client/findings.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { refuseFile, withMemory } from '../options.ts'
import { asJson, describePlace, oneLine, textTable, writeWarnings } from '../printing.ts'

type Schema = Parameters<Client['extract']>[1]
type ExtractOptions = { memory?: string; json?: true }

/** `recollect extract`. */
export function addExtractCommand(program: Command, context: CliContext): void {
  withMemory(program.command('extract <schema.json>'))
    .description('fill a schema of sections and fields; - reads the schema from standard input')
    .option('--json', 'print the answer as JSON')
    .action((path: string, options: ExtractOptions) => extract(context, path, options))
}

async function extract(context: CliContext, path: string, options: ExtractOptions): Promise<void> {
  const schema = await readSchema(context, path)
  const client = openClient(context)
  const { id } = await requireMemory(client, options.memory)
  const answer = await client.extract(id, schema, { signal: context.signal })
  if (options.json) return context.writeOut(asJson(answer))
  writeWarnings(context, answer.warnings)
  context.writeOut(describe(answer))
  context.writeError(`${answer.fieldsFound} of ${pluralize(answer.fieldsTotal, 'field was', 'fields were')} found.\n`)
}

/** Here the schema only has to be JSON; the service validates it. */
async function readSchema({ readInput }: CliContext, path: string): Promise<Schema> {
  const bytes = path === '-' ? await readInput() : await readFile(path).catch(refuseFile(path))
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as Schema
  } catch (error) {
    throw new UsageError(`${path === '-' ? 'Standard input' : path} is not valid JSON: ${(error as Error).message}.`)
  }
}

function describe({ sections }: ExtractAnswer): string {
  return sections
    .map(({ name, fields }) => textTable([oneLine(name).toUpperCase(), 'VALUE', 'FROM'], fields.map(toRow)))
    .join('\n')
}

function toRow({ label, value, sources }: ExtractedField): string[] {
  const [source] = sources
  return [oneLine(label), describeValue(value), source === undefined ? '' : describePlace(source)]
}

function describeValue(value: ExtractedField['value']): string {
  if (value === null) return '(not found)'
  if (Array.isArray(value)) return oneLine(value.join(', '))
  if (typeof value === 'object') return `${value.amount} ${value.currency ?? ''}`.trim()
  return oneLine(String(value))
}
