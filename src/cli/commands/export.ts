import { constants, existsSync } from 'node:fs'
import { access, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { writeNewFile } from '../../files/write-new-file.ts'
import { openClient, requireMemory } from '../connection.ts'
import { UsageError } from '../printing/describe-failure.ts'
import { asJson, oneLine } from '../printing/printable.ts'
import { createProgress, SILENT, type Task } from '../progress/create-progress.ts'
import type { Surroundings } from '../surroundings.ts'

type ExportOptions = { force?: true; json?: true }

/** `recollect export`. */
export function addExportCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('export <memory> [file]')
    .description('write a memory to one archive; to standard output where the file is -')
    .option('-f, --force', 'replace the file where there is one')
    .option('--json', 'print what was written as JSON')
    .action((named: string, file: string | undefined, options: ExportOptions) =>
      exportMemory(surroundings, { named, file, ...options }),
    )
}

type Wanted = ExportOptions & { named: string; file: string | undefined }

async function exportMemory(surroundings: Surroundings, { named, file, force, json }: Wanted): Promise<void> {
  const { signal, isTerminal, stdio, writeOut } = surroundings
  if (file === '-' && isTerminal)
    throw new UsageError('An archive is no text for a terminal: name a file, or use a pipe.')
  const client = openClient(surroundings)
  const memory = await requireMemory(client, named)
  const progress = file === '-' || json ? SILENT : createProgress(surroundings, { tellsSteps: false })
  const target = file ?? `${toFileName(memory.name)}.tar.gz`
  if (target !== '-') await requirePlace(target)
  if (!force && target !== '-' && existsSync(target))
    throw new Error(`${target} is there already; --force replaces it.`)
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

/** Before anything is asked for: an archive may take long. */
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

/** The file gets its name when it is whole, so that nobody takes the beginning of an archive for one. */
async function writeWhole(
  content: AsyncIterable<Uint8Array>,
  { target, signal }: { target: string; signal: AbortSignal },
): Promise<void> {
  const partial = `${target}.part`
  try {
    // One that was left when its export was killed.
    await rm(partial, { force: true })
    await writeNewFile(partial, content, { signal })
    await rename(partial, target)
  } finally {
    await rm(partial, { force: true })
  }
}

/** Of a memory's name what every file system takes. */
function toFileName(name: string): string {
  const clean = name.replace(/[^\p{L}\p{N}._-]+/gu, ' ').replace(/^[ .]+/, '')
  return [...clean].slice(0, 80).join('').trim() || 'memory'
}
