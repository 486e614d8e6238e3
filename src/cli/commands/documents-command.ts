import { type Command, Option } from 'commander'
import type { Chunk, DocumentWithPages, PageTotals } from '../../client/resources.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { type FilterOptions, toFilterOption, withFilter } from '../filter-options.ts'
import { collect, collectMetadata, wholeNumber, withMemory } from '../options.ts'
import { asJson, manyLines, oneLine, shortTime, textFields, textTable, writeRest } from '../printing.ts'

const STATUSES = ['pending', 'processing', 'ready', 'partial', 'failed'] as const

type ListOptions = { memory?: string; status?: (typeof STATUSES)[number]; tag?: string; limit: number; json?: true }
type OneOptions = { memory?: string; json?: true }
type DeleteOptions = FilterOptions & { memory?: string; dryRun?: true; yes?: true }
type EditOptions = OneOptions & {
  title?: string
  tag?: string[] | false
  metadata?: Record<string, string | number | boolean | null> | false
  hide?: true
  show?: true
}

/** `recollect documents list|show|edit|pages|text|chunks|delete`. */
export function addDocumentsCommands(program: Command, context: CliContext): void {
  const documents = program
    .command('documents')
    .description('list, show, edit, read and delete the documents of a memory')
  withMemory(documents.command('list'))
    .description('list the documents, newest first')
    .addOption(new Option('--status <status>', 'only documents of this status').choices(STATUSES))
    .option('--tag <tag>', 'only documents with this tag')
    .option('-n, --limit <number>', 'maximum number of documents', wholeNumber(1, 100), 20)
    .option('--json', 'print the page as JSON')
    .action((options: ListOptions) => list(context, options))
  withMemory(documents.command('show <doc_…>'))
    .description('show a document and the processing of its pages')
    .option('--json', 'print it as JSON')
    .action((id: string, options: OneOptions) => show(context, id, options))
  withMemory(documents.command('edit <doc_…>'))
    .description('change a document, or hide it from searches; it is not read again')
    .option('--title <title>', 'new title')
    .option('--tag <tag>', 'tag, in place of the stored ones; repeatable', collect)
    .option('--no-tag', 'remove all tags')
    .option('--metadata <name=value>', 'metadata, in place of the stored; repeatable', collectMetadata)
    .option('--no-metadata', 'remove all metadata')
    .option('--hide', 'hide it from every search')
    .option('--show', 'show it again')
    .option('--json', 'print the document as JSON')
    .action((id: string, options: EditOptions) => edit(context, id, options))
  withMemory(documents.command('pages'))
    .description('count pages of all documents by result, and list documents with the most failed pages')
    .option('--json', 'print it as JSON')
    .action((options: OneOptions) => countPages(context, options))
  withMemory(documents.command('text <doc_…>'))
    .description('print the extracted text, to which all offsets refer')
    .action((id: string, options: OneOptions) => printText(context, id, options))
  withMemory(documents.command('chunks <doc_…>'))
    .description('print the chunks of a document, with their offsets, pages and sections')
    .option('--json', 'print a line of JSON for each chunk')
    .action((id: string, options: OneOptions) => printChunks(context, id, options))
  withFilter(withMemory(documents.command('delete [doc_…...]')))
    .description('delete documents or corrections by id, or documents by a filter')
    .option('--dry-run', 'print the number of documents, and delete nothing')
    .option('-y, --yes', 'skip the confirmation of a filter; required without a terminal')
    .action((ids: string[], options: DeleteOptions) => remove(context, ids, options))
}

async function list(context: CliContext, { memory, status, tag, limit, json }: ListOptions): Promise<void> {
  const client = openClient(context)
  const { id } = await requireMemory(client, memory)
  const filter = { ...(status === undefined ? {} : { status }), ...(tag === undefined ? {} : { tag }) }
  const page = await client.documents.listPage(id, { limit, ...filter })
  if (json) return context.writeOut(asJson(page))
  const rows = page.documents.map((document) => {
    const { chunkCount, createdAt, title } = document
    return [document.id, document.status, String(chunkCount), shortTime(createdAt), oneLine(title)]
  })
  context.writeOut(textTable(['ID', 'STATUS', 'CHUNKS', 'CREATED', 'TITLE'], rows))
  writeRest(context, page.documents.length, page)
}

async function show(context: CliContext, id: string, { memory, json }: OneOptions): Promise<void> {
  const client = openClient(context)
  const document = await client.documents.get((await requireMemory(client, memory)).id, id)
  context.writeOut(json ? asJson(document) : describe(document))
}

async function edit(context: CliContext, id: string, options: EditOptions): Promise<void> {
  const { memory, title, tag, metadata, hide, show, json } = options
  if (hide && show) throw new UsageError('Give either --hide or --show.')
  const change = {
    ...(title === undefined ? {} : { title }),
    ...(tag === undefined ? {} : { tags: tag || [] }),
    ...(metadata === undefined ? {} : { metadata: metadata || {} }),
    ...(hide || show ? { enabled: show === true } : {}),
  }
  if (Object.keys(change).length === 0)
    throw new UsageError('Nothing to change; give --title, --tag, --metadata, --hide or --show.')
  const client = openClient(context)
  const changed = await client.documents.change((await requireMemory(client, memory)).id, id, change)
  for (const { message } of changed.warnings) context.writeError(`${message}\n`)
  if (json) context.writeOut(asJson(changed))
  else context.writeError(`${id} is changed.\n`)
}

function describe(document: DocumentWithPages): string {
  const orNothing = (text: string | null) => (text === null ? null : oneLine(text))
  const fields = textFields({
    id: document.id,
    title: oneLine(document.title),
    file: orNothing(document.filename),
    url: orNothing(document.url),
    kind: `${document.sourceType}, ${oneLine(document.mimeType)}`,
    status: document.status,
    error: orNothing(document.error),
    hidden: document.enabled ? null : 'from every search; show it with recollect documents edit --show',
    tags: document.tags.length === 0 ? null : oneLine(document.tags.join(', ')),
    bytes: document.sizeBytes,
    characters: document.characterCount,
    chunks: document.chunkCount,
    job: document.jobId,
    added: shortTime(document.createdAt),
  })
  const pages = document.pages.map(({ page, method, characters, confidence, message }) => {
    const sureness = confidence === null ? '' : confidence.toFixed(2)
    return [String(page), method, String(characters), sureness, oneLine(message ?? '')]
  })
  return pages.length === 0
    ? fields
    : `${fields}\n${textTable(['PAGE', 'READ', 'CHARACTERS', 'SURE', 'MESSAGE'], pages)}`
}

async function countPages(context: CliContext, { memory, json }: OneOptions): Promise<void> {
  const client = openClient(context)
  const totals = await client.memories.countPages((await requireMemory(client, memory)).id)
  context.writeOut(json ? asJson(totals) : describeTotals(totals))
}

function describeTotals({ documents, ...counts }: PageTotals): string {
  const rows = documents.map(({ documentId, title, failed }) => [documentId, String(failed), oneLine(title)])
  const failed = rows.length === 0 ? '' : `\n${textTable(['ID', 'FAILED', 'TITLE'], rows)}`
  return textFields(counts) + failed
}

async function printText(context: CliContext, id: string, { memory }: OneOptions): Promise<void> {
  const client = openClient(context)
  const text = await client.documents.readText((await requireMemory(client, memory)).id, id)
  // Programs need the unchanged text; a terminal would execute its control characters.
  context.writeOut(context.isTerminal ? manyLines(text) : text)
}

async function printChunks(context: CliContext, id: string, { memory, json }: OneOptions): Promise<void> {
  const client = openClient(context)
  const { id: memoryId } = await requireMemory(client, memory)
  for await (const chunk of client.documents.listChunks(memoryId, id)) {
    if (json) context.writeOut(`${JSON.stringify(chunk)}\n`)
    else context.writeOut(`${describeChunk(chunk)}\n${manyLines(chunk.text)}\n\n`)
  }
}

function describeChunk({ id, startOffset, endOffset, page, section }: Chunk): string {
  const place = [page === null ? null : `page ${page}`, section === null ? null : oneLine(section)]
  return [`${id}  ${startOffset}-${endOffset}`, ...place.filter((part) => part !== null)].join('  ')
}

async function remove(context: CliContext, ids: readonly string[], options: DeleteOptions): Promise<void> {
  const { memory: named, dryRun, yes } = options
  const { filter } = toFilterOption(options)
  if ((ids.length === 0) === (filter === undefined)) throw new UsageError('Give ids of documents, or a filter.')
  const client = openClient(context)
  const { id: memoryId } = await requireMemory(client, named)
  const [only] = ids
  if (only !== undefined && ids.length === 1 && !dryRun) {
    await client.documents.delete(memoryId, only)
    return context.writeError(`${only} is deleted.\n`)
  }
  const chosen = filter === undefined ? { ids: [...ids] } : { filter }
  const found = await client.documents.deleteMany(memoryId, { ...chosen, dryRun: true })
  for (const id of found.notFound) context.writeError(`${id} is not in the memory.\n`)
  const count = pluralize(found.matched, 'document')
  if (dryRun || found.matched === 0) return context.writeError(`${count} to delete.\n`)
  const agreed = filter === undefined || yes || (await context.confirm(`Delete ${count}?`))
  if (agreed === null) throw new UsageError('No terminal to confirm at; add --yes to delete the documents.')
  if (!agreed) return context.writeError('Nothing was deleted.\n')
  const { deleted } = await client.documents.deleteMany(memoryId, chosen)
  context.writeError(`${pluralize(deleted, 'document')} deleted.\n`)
}
