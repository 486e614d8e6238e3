import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { IngestOptions } from '../../client/requests.ts'
import type { Memory } from '../../client/resources.ts'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { OCR_MAX_PAGES } from '../../limits.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { collect, collectMetadata, wholeNumber, withMemory } from '../options.ts'
import { oneLine } from '../printing.ts'
import { createProgress, type Progress, SILENT } from '../progress.ts'
import { type AddRun, addSource } from './add-source.ts'
import { type Journal, openJournal } from './journal.ts'
import { listSources, type Outcome, type Source } from './list-sources.ts'

type AddOptions = {
  memory?: string
  create?: true
  name: string
  parallel: number
  wait: boolean
  again?: true
  journal?: string
  deduplicate?: true
  storeSource?: true
  ocr: boolean
  ocrMaxPages?: number
  title?: string
  tag?: string[]
  metadata?: NonNullable<IngestOptions['metadata']>
  externalId?: string
  json?: true
}

/** The service reads two large documents in parallel; a few more on the way keep it busy. */
const PARALLEL = 4

/** `recollect add`. */
export function addAddCommand(program: Command, context: CliContext): void {
  withMemory(program.command('add <what...>'))
    .description('add files, folders, patterns, URLs, or - for standard input; skips sources added before')
    .option('--create', 'create the memory if it does not exist')
    .option('--name <filename>', 'file name of standard input; the extension gives the type', 'standard input.txt')
    .option('--parallel <number>', 'number of parallel uploads', wholeNumber(1, 32), PARALLEL)
    .option('--no-wait', 'do not wait for the jobs that read large files')
    .option('--again', 'also add sources that were added before')
    .option('--journal <file>', 'file that records added sources (default: in the user state folder)')
    .option('--deduplicate', 'skip documents that are similar to an existing one')
    .option('--store-source', 'keep the originals')
    .option('--no-ocr', 'disable text recognition of scanned pages')
    .option('--ocr-max-pages <number>', 'maximum recognised pages of a document', wholeNumber(1, OCR_MAX_PAGES.max))
    .option('--title <title>', 'title of the document; for a single source')
    .option('--tag <tag>', 'tag of the documents; repeatable', collect)
    .option('--metadata <name=value>', 'metadata of the documents; repeatable', collectMetadata)
    .option('--external-id <id>', 'your identifier, which replaces the document that has it; for a single source')
    .option('--json', 'print a line of JSON for each finished source')
    .action((what: string[], options: AddOptions) => add(context, what, options))
}

async function add(context: CliContext, what: readonly string[], options: AddOptions): Promise<void> {
  const { writeError, readInput } = context
  const { sources, passedOver } = await listSources(what, { inputName: options.name, readInput })
  requireOneSource(sources, options)
  if (passedOver > 0) writeError(`Skipped ${pluralize(passedOver, 'file')} (unsupported type).\n`)
  const client = openClient(context)
  const memory = await chooseMemory(client, options)
  const progress = options.json ? SILENT : createProgress(context, { tellsSteps: false, total: sources.length })
  const adding = createAddRun(context, { client, memory, options })
  try {
    const outcomes = await mapConcurrent(sources, options.parallel, async (source) => {
      const outcome = await addShown(adding, source, progress)
      if (options.json) context.writeOut(`${JSON.stringify(outcome)}\n`)
      return outcome
    })
    progress.close()
    summarize(context, outcomes)
  } catch (error) {
    progress.close()
    if (context.signal.aborted) writeError('Interrupted. Run the same command again to resume.\n')
    throw error
  }
}

/** A title or an identifier of several documents is a mistake. */
function requireOneSource(sources: readonly Source[], { title, externalId }: AddOptions): void {
  if (sources.length <= 1 || (title ?? externalId) === undefined) return
  const option = title === undefined ? '--external-id' : '--title'
  throw new UsageError(`${option} needs a single source, but there are ${sources.length}.`)
}

async function addShown(adding: AddRun, source: Source, progress: Progress): Promise<Outcome> {
  const task = progress.begin(source.name)
  const outcome = await addSource(adding, source, task)
  const message = outcome.message === null ? '' : `  ${outcome.message}`
  task.end(`${outcome.status.padEnd(9)}  ${oneLine(outcome.source)}${message}`)
  return outcome
}

async function chooseMemory(client: Client, { memory: named, create }: AddOptions): Promise<Memory> {
  if (!create) return requireMemory(client, named)
  if (named === undefined) throw new UsageError('--create needs the name of the memory: --memory <name>')
  for await (const memory of client.memories.list()) {
    if (memory.name === named || memory.id === named) return requireMemory(client, named)
  }
  return client.memories.create({ name: named })
}

type ChosenMemory = { client: Client; memory: Memory; options: AddOptions }

function createAddRun(context: CliContext, { client, memory, options }: ChosenMemory): AddRun {
  const { fetch, signal, environment, barStream } = context
  return {
    client,
    fetch,
    signal,
    memoryId: memory.id,
    waits: options.wait,
    isAgain: options.again ?? false,
    options: toIngestOptions(options),
    journal: openJournalOf(memory, options.journal, environment),
    openClient: (send) => openClient(context, send),
    showsBytes: barStream !== null && !options.json,
    taken: new Map(),
  }
}

function toIngestOptions({ deduplicate, storeSource, ocr, ocrMaxPages, ...given }: AddOptions): IngestOptions {
  const { title, tag, metadata, externalId } = given
  return {
    ...(deduplicate ? { deduplicate } : {}),
    ...(storeSource ? { storeSource } : {}),
    ...(ocr ? {} : { enableOcr: false }),
    ...(ocrMaxPages === undefined ? {} : { ocrMaxPages }),
    ...(title === undefined ? {} : { title }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(externalId === undefined ? {} : { externalId }),
  }
}

/** Ids of memories are globally unique, so one file per memory is enough. */
function openJournalOf({ id }: Memory, path: string | undefined, environment: CliContext['environment']): Journal {
  const state = environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state')
  return openJournal(path ?? join(state, 'recollect', 'added', `${id}.jsonl`))
}

function summarize({ writeError }: CliContext, outcomes: readonly Outcome[]): void {
  const counts = Object.entries(Object.groupBy(outcomes, ({ status }) => status))
  const told = counts.map(([status, those]) => `${those.length} ${status}`).join(', ')
  const failed = outcomes.filter(({ status }) => status === 'failed').length
  if (failed > 0) throw new Error(`${told}. To retry the failed sources, run the same command again.`)
  writeError(`${told === '' ? 'Nothing to add' : told}.\n`)
}
