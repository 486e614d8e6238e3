import { constants, existsSync } from 'node:fs'
import { access, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { Client, ImportedMemory, Job, Memory, Upload, Warning } from '../../client/client.ts'
import { writeNewFile } from '../../files/write-new-file.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { refuseFile } from '../options.ts'
import { asJson, oneLine, writeWarnings } from '../printing.ts'
import { createProgress, SILENT, type Task } from '../progress.ts'
import { createWatchedFetch } from '../watched-fetch.ts'

type ExportOptions = { force?: true; json?: true }

/** `recollect export`. */
export function addExportCommand(program: Command, context: CliContext): void {
  program
    .command('export <memory> [file]')
    .description('export a memory to an archive; - writes to standard output')
    .option('-f, --force', 'replace an existing file')
    .option('--json', 'print the result as JSON')
    .action((named: string, file: string | undefined, options: ExportOptions) =>
      exportMemory(context, { named, file, ...options }),
    )
}

type ExportArguments = ExportOptions & { named: string; file: string | undefined }

async function exportMemory(context: CliContext, { named, file, force, json }: ExportArguments): Promise<void> {
  const { signal, isTerminal, stdio, writeOut } = context
  if (file === '-' && isTerminal)
    throw new UsageError('Cannot write an archive to a terminal. Name a file, or use a pipe.')
  const client = openClient(context)
  const memory = await requireMemory(client, named)
  const progress = file === '-' || json ? SILENT : createProgress(context, { tellsSteps: false })
  const target = file ?? `${toFileName(memory.name)}.tar.gz`
  if (target !== '-') await requirePlace(target)
  if (!force && target !== '-' && existsSync(target))
    throw new Error(`${target} already exists; use --force to replace it.`)
  const task = progress.begin(target)
  try {
    const answer = await client.memories.export(memory.id, { signal })
    const counter = countBytes(answer, task)
    if (file === '-') await pipeline(counter.content, stdio.output, { signal, end: false })
    else await writeWhole(counter.content, { target, signal })
    if (json && file !== '-') writeOut(asJson({ file: target, bytes: counter.bytes(), memory }))
    task.end(`exported  ${oneLine(target)}  ${counter.bytes()} bytes`)
  } finally {
    progress.close()
  }
}

/** Checked before the request, since an archive may take long. */
async function requirePlace(target: string): Promise<void> {
  const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() === true
  if (await isFolder(target)) throw new UsageError(`${target} is a folder; name a file in it.`)
  const folder = dirname(resolve(target))
  if (!(await isFolder(folder))) throw new UsageError(`There is no folder ${folder}.`)
  await access(folder, constants.W_OK).catch(() => {
    throw new UsageError(`The folder ${folder} may not be written by this user.`)
  })
}

function countBytes({ body }: Response, task: Task) {
  let bytes = 0
  async function* counted() {
    for await (const piece of Readable.fromWeb(body as never)) {
      bytes += (piece as Uint8Array).byteLength
      task.update(0, `${Math.floor(bytes / 1_000_000)} MB`)
      yield piece as Uint8Array
    }
  }
  return { content: counted(), bytes: () => bytes }
}

/** The file gets its name only when complete, so that no partial archive looks complete. */
async function writeWhole(
  content: AsyncIterable<Uint8Array>,
  { target, signal }: { target: string; signal: AbortSignal },
): Promise<void> {
  const partial = `${target}.part`
  try {
    // Left by an export that was killed.
    await rm(partial, { force: true })
    await writeNewFile(partial, content, { signal })
    await rename(partial, target)
  } finally {
    await rm(partial, { force: true })
  }
}

/** Characters of a memory's name that every file system accepts. */
function toFileName(name: string): string {
  const clean = name.replace(/[^\p{L}\p{N}._-]+/gu, ' ').replace(/^[ .]+/, '')
  return [...clean].slice(0, 80).join('').trim() || 'memory'
}

type ImportCommandOptions = { name?: string; project?: string; json?: true }

/** `recollect import`. */
export function addImportCommand(program: Command, context: CliContext): void {
  program
    .command('import <file>')
    .description('import a memory from an archive, or - for standard input; prints the id')
    .option('--name <name>', 'name of the new memory (default: the name in the archive)')
    .option('--project <prj_…>', 'project of the memory')
    .option('--json', 'print the whole memory as JSON')
    .action((file: string, options: ImportCommandOptions) => importMemory(context, file, options))
}

async function importMemory(context: CliContext, file: string, options: ImportCommandOptions): Promise<void> {
  const { signal, writeOut } = context
  await requireFile(file)
  const progress = options.json || context.barStream === null ? SILENT : createProgress(context, { tellsSteps: false })
  const task = progress.begin(file)
  try {
    const client = await openSender(context, file, task)
    const answer = await client.memories.import(toUpload(context, file), { ...toArchiveOptions(options), signal })
    const { memory, warnings } = await settle(client, answer, { task, signal })
    progress.close()
    writeWarnings(context, warnings)
    writeOut(options.json ? asJson(memory) : `${memory.id}\n`)
  } finally {
    progress.close()
  }
}

async function requireFile(file: string): Promise<void> {
  if (file === '-') return
  const found = await stat(file).catch(refuseFile(file))
  if (found.isDirectory()) throw new UsageError(`${file} is a folder; name the archive.`)
  await access(file, constants.R_OK).catch(refuseFile(file))
}

function toArchiveOptions({ name, project }: ImportCommandOptions) {
  return { ...(name === undefined ? {} : { name }), ...(project === undefined ? {} : { projectId: project }) }
}

/** A client that displays upload progress. */
async function openSender(context: CliContext, file: string, task: Task): Promise<Client> {
  if (context.barStream === null || file === '-') return openClient(context)
  const totalBytes = Math.max(1, (await stat(file)).size)
  const onSent = (bytes: number) => task.update(Math.min(1, bytes / totalBytes) / 2, 'sending')
  const key = crypto.randomUUID()
  return openClient(context, createWatchedFetch({ send: context.fetch, key, onSent }))
}

function toUpload({ stdio }: CliContext, file: string): Upload {
  if (file !== '-') return { path: file, name: basename(file) }
  return { stream: Readable.toWeb(stdio.input) as ReadableStream<Uint8Array>, name: 'standard input.tar.gz' }
}

type ImportWaitOptions = { task: Task; signal: AbortSignal }

/** The imported memory, immediately or after its job. Rejects with the job's error. */
async function settle(
  client: Client,
  answer: Awaited<ReturnType<Client['memories']['import']>>,
  { task, signal }: ImportWaitOptions,
): Promise<{ memory: Memory; warnings: readonly Warning[] }> {
  if (!('jobId' in answer)) return toMemory(answer)
  const onProgress = ({ progress, message }: Job) => task.update(0.5 + progress / 200, oneLine(message))
  const job = await client.jobs.wait(answer.jobId, { onProgress, signal })
  const { memoryId } = job
  if (job.status !== 'completed' || memoryId === null)
    throw new Error(`The archive was not imported: ${oneLine(job.error ?? job.message)}`)
  return { memory: await client.memories.get(memoryId, { signal }), warnings: job.result?.warnings ?? [] }
}

function toMemory({ warnings, ...memory }: ImportedMemory) {
  return { memory, warnings }
}
