import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { Client, ImportedMemory, Job, Memory, Upload, Warning } from '../../client/client.ts'
import { openClient } from '../connection.ts'
import { refuseFile } from '../options.ts'
import { UsageError } from '../printing/describe-failure.ts'
import { asJson, oneLine, writeWarnings } from '../printing/printable.ts'
import { createProgress, SILENT, type Task } from '../progress/create-progress.ts'
import { createWatchedFetch } from '../progress/watched-fetch.ts'
import type { Surroundings } from '../surroundings.ts'

type ImportCommandOptions = { name?: string; project?: string; json?: true }

/** `recollect import`. */
export function addImportCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('import <file>')
    .description('make a memory of an archive, from standard input where the file is -; its id goes to standard output')
    .option('--name <name>', 'the name of the new memory; that of the archive otherwise')
    .option('--project <prj_…>', 'the project it belongs to')
    .option('--json', 'print the whole memory as JSON')
    .action((file: string, options: ImportCommandOptions) => importMemory(surroundings, file, options))
}

async function importMemory(surroundings: Surroundings, file: string, options: ImportCommandOptions): Promise<void> {
  const { signal, writeOut } = surroundings
  await requireFile(file)
  const progress =
    options.json || surroundings.barStream === null ? SILENT : createProgress(surroundings, { tellsSteps: false })
  const task = progress.begin(file)
  try {
    const client = await openSender(surroundings, file, task)
    const answer = await client.memories.import(toUpload(surroundings, file), { ...toArchiveOptions(options), signal })
    const { memory, warnings } = await settle(client, answer, { task, signal })
    progress.close()
    writeWarnings(surroundings, warnings)
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

/** A client that shows how much of the file has gone. */
async function openSender(surroundings: Surroundings, file: string, task: Task): Promise<Client> {
  if (surroundings.barStream === null || file === '-') return openClient(surroundings)
  const totalBytes = Math.max(1, (await stat(file)).size)
  const onSent = (bytes: number) => task.update(Math.min(1, bytes / totalBytes) / 2, 'sending')
  const key = crypto.randomUUID()
  return openClient(surroundings, createWatchedFetch({ send: surroundings.fetch, key, onSent }))
}

function toUpload({ stdio }: Surroundings, file: string): Upload {
  if (file !== '-') return { path: file, name: basename(file) }
  return { stream: Readable.toWeb(stdio.input) as ReadableStream<Uint8Array>, name: 'standard input.tar.gz' }
}

type Settling = { task: Task; signal: AbortSignal }

/** The memory that came of it: at once, or of the job that makes it. Rejects with why the job made none. */
async function settle(
  client: Client,
  answer: Awaited<ReturnType<Client['memories']['import']>>,
  { task, signal }: Settling,
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
