import type { Command } from 'commander'
import type { Verification } from '../../client/answers.ts'
import type { Job, Memory } from '../../client/resources.ts'
import { CHUNK_CHARACTERS } from '../../limits.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { CliContext } from '../cli-context.ts'
import { listMemories, openClient, requireMemory, requireProject } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { wholeNumber } from '../options.ts'
import { asJson, oneLine, shorten, shortTime, textFields, textTable } from '../printing.ts'
import { createProgress, SILENT } from '../progress.ts'

type CreateOptions = {
  description?: string
  project?: string
  chunkCharacters?: number
  chunkOverlap?: number
  json?: true
}

type EditOptions = { name?: string; description?: string; project?: string | false; json?: true }

/** `recollect memories list|create|show|edit|delete`. */
export function addMemoriesCommands(program: Command, context: CliContext): void {
  const { min, max } = CHUNK_CHARACTERS
  const memories = program.command('memories').description('list, create, show, edit and delete memories')
  memories
    .command('list')
    .description('list the memories, newest first')
    .option('--json', 'print them as JSON')
    .action((options: { json?: true }) => list(context, options))
  memories
    .command('create <name>')
    .description('create a memory, and print its id')
    .option('--description <text>', 'description of the memory')
    .option('--project <name>', 'project of the memory, created if missing')
    .option('--chunk-characters <count>', 'maximum length of a chunk', wholeNumber(min, max))
    .option('--chunk-overlap <count>', 'characters of whole sentences that chunks repeat', wholeNumber(0, max / 2))
    .option('--json', 'print the whole memory as JSON')
    .action((name: string, options: CreateOptions) => create(context, name, options))
  memories
    .command('show <memory>')
    .description('show a memory by id or exact name')
    .option('--json', 'print it as JSON')
    .action((named: string, options: { json?: true }) => show(context, named, options))
  memories
    .command('edit <memory>')
    .description('change the name, the description or the project of a memory')
    .option('--name <name>', 'new name')
    .option('--description <text>', 'new description; empty to remove it')
    .option('--project <project>', 'project by id or exact name')
    .option('--no-project', 'remove the memory from its project')
    .option('--json', 'print the memory as JSON')
    .action((named: string, options: EditOptions) => edit(context, named, options))
  memories
    .command('delete <memory>')
    .description('delete a memory with all its documents')
    .option('-y, --yes', 'skip the confirmation; required without a terminal')
    .action((named: string, options: { yes?: true }) => remove(context, named, options))
}

async function list(context: CliContext, { json }: { json?: true }): Promise<void> {
  const memories = await listMemories(openClient(context))
  if (json) return context.writeOut(asJson({ memories }))
  const rows = memories.map(({ id, documentCount, correctionCount, createdAt, name }) => {
    return [id, String(documentCount), String(correctionCount), shortTime(createdAt), shorten(name)]
  })
  context.writeOut(textTable(['ID', 'DOCUMENTS', 'CORRECTIONS', 'CREATED', 'NAME'], rows))
}

async function create(context: CliContext, name: string, options: CreateOptions): Promise<void> {
  const { description, project, chunkCharacters: maxCharacters, chunkOverlap: overlap, json } = options
  if (maxCharacters === undefined && overlap !== undefined)
    throw new UsageError('--chunk-overlap needs --chunk-characters.')
  const memory = await openClient(context).memories.create({
    name,
    ...(description === undefined ? {} : { description }),
    ...(project === undefined ? {} : { projectName: project }),
    ...(maxCharacters === undefined ? {} : { chunking: { maxCharacters, ...(overlap !== undefined && { overlap }) } }),
  })
  context.writeOut(json ? asJson(memory) : `${memory.id}\n`)
}

async function edit(context: CliContext, named: string, options: EditOptions): Promise<void> {
  const { name, description, project, json } = options
  if ([name, description, project].every((value) => value === undefined))
    throw new UsageError('Nothing to change; give --name, --description, --project or --no-project.')
  const client = openClient(context)
  const { id } = await requireMemory(client, named)
  const memory = await client.memories.change(id, {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description: description === '' ? null : description }),
    ...(project === undefined
      ? {}
      : { projectId: project === false ? null : (await requireProject(client, project)).id }),
  })
  context.writeOut(json ? asJson(memory) : describe(memory))
}

async function show(context: CliContext, named: string, { json }: { json?: true }): Promise<void> {
  const memory = await requireMemory(openClient(context), named)
  context.writeOut(json ? asJson(memory) : describe(memory))
}

function describe(memory: Memory): string {
  return textFields({
    id: memory.id,
    name: oneLine(memory.name),
    description: memory.description === null ? null : oneLine(memory.description),
    project: memory.projectName === null ? null : oneLine(memory.projectName),
    documents: memory.documentCount,
    chunks: memory.chunkCount,
    corrections: memory.correctionCount,
    bytes: memory.sizeBytes,
    'embedding model': memory.embeddingModel,
    chunking: memory.chunking && describeChunking(memory.chunking),
    created: shortTime(memory.createdAt),
    changed: shortTime(memory.updatedAt),
  })
}

function describeChunking({ maxCharacters, overlap }: NonNullable<Memory['chunking']>): string {
  return `at most ${maxCharacters} characters${overlap === 0 ? '' : `, ${overlap} of them repeated`}`
}

async function remove(context: CliContext, named: string, { yes }: { yes?: true }): Promise<void> {
  const client = openClient(context)
  const { id, name, documentCount } = await requireMemory(client, named)
  if (!yes) {
    const agreed = await context.confirm(
      `Delete ${id} "${shorten(name)}" with ${pluralize(documentCount, 'document')}?`,
    )
    if (agreed === null) throw new UsageError('No terminal to confirm at; add --yes to delete the memory.')
    if (!agreed) return context.writeError('Nothing was deleted.\n')
  }
  await client.memories.delete(id)
  context.writeError(`${id} is deleted.\n`)
}

type ReembedRequest = { named: string; model: string; wait: boolean; json?: true }

/** `recollect reembed`. */
export function addReembedCommand(program: Command, context: CliContext): void {
  program
    .command('reembed <memory> <model>')
    .description('re-embed a memory with another model; search uses the old vectors until it is done')
    .option('--no-wait', 'print the job id and exit; follow it with recollect jobs watch')
    .option('--json', 'print the job as JSON')
    .action((named: string, model: string, options: Pick<ReembedRequest, 'wait' | 'json'>) =>
      reembed(context, { named, model, ...options }),
    )
}

async function reembed(context: CliContext, request: ReembedRequest): Promise<void> {
  const { named, model, wait, json } = request
  const { signal, writeOut } = context
  const client = openClient(context)
  const memory = await requireMemory(client, named)
  const { job } = await client.memories.reembed(memory.id, model, { signal })
  if (!wait) return writeOut(json ? asJson(job) : `${job.id}\n`)
  const progress = json ? SILENT : createProgress(context, { tellsSteps: true })
  const task = progress.begin(oneLine(memory.name))
  try {
    const onProgress = ({ progress: percent, message }: Job) => task.update(percent / 100, oneLine(message))
    const ended = await client.jobs.wait(job.id, { onProgress, signal })
    progress.close()
    if (json) writeOut(asJson(ended))
    if (ended.status !== 'completed')
      throw new Error(`The memory was not re-embedded and is unchanged: ${oneLine(ended.error ?? ended.message)}`)
    if (!json) writeOut(`${oneLine(ended.message)}\n`)
  } finally {
    progress.close()
  }
}

/** `recollect verify`. */
export function addVerifyCommand(program: Command, context: CliContext): void {
  program
    .command('verify <memory>')
    .description('check a memory for corruption: metadata, memory file, objects and the text of each chunk')
    .option('--json', 'print the answer as JSON')
    .action((named: string, options: { json?: true }) => verify(context, named, options))
}

/** Rejects if a problem was found. */
async function verify(context: CliContext, named: string, { json }: { json?: true }): Promise<void> {
  const client = openClient(context)
  const { id } = await requireMemory(client, named)
  const answer = await client.memories.verify(id, { signal: context.signal })
  const { ok, documents, chunks, problemsFound, problems } = answer
  if (json) context.writeOut(asJson(answer))
  else {
    for (const problem of problems) context.writeOut(describeProblem(problem))
    if (ok) context.writeOut(`Whole: ${pluralize(documents, 'document')}, ${pluralize(chunks, 'chunk')}.\n`)
  }
  if (ok) return
  const unseen = problemsFound > problems.length ? `, of which the first ${problems.length} are named` : ''
  throw new Error(`${pluralize(problemsFound, 'problem was', 'problems were')} found${unseen}.`)
}

function describeProblem({ code, message, documentId, remedy }: Verification['problems'][number]): string {
  const place = documentId === null ? '' : ` ${documentId}`
  return `${code}${place}: ${oneLine(message)} ${remedy}\n`
}
