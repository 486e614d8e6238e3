import { realpath, stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { createSignal } from '../../concurrency/signal.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { describeFailure, UsageError } from '../failures.ts'
import { collect, refuseFile, wholeNumber, withMemory } from '../options.ts'
import { oneLine } from '../printing.ts'
import { type SyncChange, type SyncDeps, syncFolder } from './sync-folder.ts'

type SyncOptions = {
  memory?: string
  as?: string
  exclude?: string[]
  tag?: string[]
  parallel: number
  dryRun?: true
  watch?: true
  json?: true
}

/** The service reads two large documents in parallel; a few more on the way keep it busy. */
const PARALLEL = 4
/** Editors write a file in several steps. */
const QUIET_MS = 500
/** Changes of hidden files and installed packages are not watched. */
const HIDDEN = /(?:^|[\\/])(?:\.(?!recollectignore$)|node_modules(?:[\\/]|$))/
/** Also without a change: events of network disks are lost. */
const RESCAN_MS = 10 * 60_000

/** `recollect sync`. */
export function addSyncCommand(program: Command, context: CliContext): void {
  withMemory(program.command('sync <folder>'))
    .description(
      'make the documents of a folder equal to its files: add, replace and delete; .recollectignore excludes',
    )
    .option('--as <name>', 'name of the folder in the memory, put before the paths (default: only the paths)')
    .option('--exclude <pattern>', 'leave files out, in the syntax of .gitignore; repeatable', collect)
    .option('--tag <tag>', 'tag of added documents; repeatable', collect)
    .option('--parallel <number>', 'number of parallel uploads', wholeNumber(1, 32), PARALLEL)
    .option('--dry-run', 'print the changes, and change nothing')
    .option('--watch', 'continue, and follow changes of the folder until ^C')
    .option('--json', 'print a line of JSON for each change')
    .action((folder: string, options: SyncOptions) => sync(context, folder, options))
}

async function sync(context: CliContext, folder: string, options: SyncOptions): Promise<void> {
  if (options.watch && options.dryRun) throw new UsageError('Give either --watch or --dry-run.')
  const path = await requireFolder(folder)
  const client = openClient(context)
  const { id: memoryId } = await requireMemory(client, options.memory)
  const { as, exclude = [], tag: tags = [], parallel, dryRun } = options
  const named = { name: as ?? path, prefix: as === undefined ? '' : `${as.replace(/\/+$/, '')}/` }
  const given = { exclude, tags, parallel, isDryRun: dryRun === true, hashes: new Map() }
  const deps = { client, memoryId, folder: path, ...named, ...given, signal: context.signal }
  if (options.watch) return watchFolder(context, deps, options)
  const counts = await syncOnce(context, deps, options)
  if (counts.failed > 0) throw new Error(`${counts.failed} of the files could not be synchronized.`)
}

async function requireFolder(folder: string): Promise<string> {
  const path = await realpath(folder).catch(refuseFile(folder))
  if (!(await stat(path)).isDirectory()) throw new UsageError(`${folder} is a file; recollect add adds it.`)
  return resolve(path)
}

type Counts = Record<SyncChange['status'], number>

async function syncOnce(
  context: CliContext,
  deps: Omit<SyncDeps, 'report'>,
  { json, dryRun, watch }: SyncOptions,
): Promise<Counts> {
  const counts: Counts = { added: 0, replaced: 0, deleted: 0, unchanged: 0, skipped: 0, failed: 0 }
  const report = (change: SyncChange) => {
    counts[change.status] += 1
    if (change.status === 'unchanged') return
    // Files that are left out are named one time.
    if (change.status === 'skipped' && watch) return
    const message = change.message === null ? '' : `  ${oneLine(change.message)}`
    context.writeOut(
      json ? `${JSON.stringify(change)}\n` : `${change.status.padEnd(8)}  ${oneLine(change.path)}${message}\n`,
    )
  }
  await syncFolder({ ...deps, report })
  const changed = counts.added + counts.replaced + counts.deleted + counts.failed
  if (!watch || changed > 0) context.writeError(`${dryRun ? 'Dry run: ' : ''}${summarize(counts)}\n`)
  return counts
}

function summarize({ added, replaced, deleted, unchanged, skipped, failed }: Counts): string {
  const rare = [skipped > 0 ? `, ${skipped} skipped` : '', failed > 0 ? `, ${failed} failed` : ''].join('')
  return `${added} added, ${replaced} replaced, ${deleted} deleted, ${unchanged} unchanged${rare}.`
}

/** Synchronizes after each change, until ^C. A failed synchronization is repeated. */
async function watchFolder(context: CliContext, deps: Omit<SyncDeps, 'report'>, options: SyncOptions): Promise<void> {
  const { watch } = await import('chokidar')
  const bell = createSignal()
  const watcher = watch(deps.folder, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => HIDDEN.test(relative(deps.folder, path)),
  })
  watcher.on('all', bell.notify)
  watcher.on('error', (error) => context.writeError(`${oneLine(String(error))}\n`))
  const onAbort = () => bell.notify()
  context.signal.addEventListener('abort', onAbort, { once: true })
  try {
    context.writeError(`Watching ${deps.folder}; stop with ^C.\n`)
    while (!context.signal.aborted) {
      await syncOnce(context, deps, options).catch((error: unknown) => {
        if (!context.signal.aborted) context.writeError(`${oneLine(describeFailure(error))}\n`)
      })
      if (!context.signal.aborted) await bell.wait(RESCAN_MS)
      if (!context.signal.aborted) await createSignal().wait(QUIET_MS)
    }
  } finally {
    await watcher.close()
  }
}
