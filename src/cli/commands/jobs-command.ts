import { type Command, Option } from 'commander'
import type { Client } from '../../client/client.ts'
import type { Job } from '../../client/resources.ts'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { anySignal } from '../../concurrency/wait.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { wholeNumber } from '../options.ts'
import { asJson, oneLine, shortTime, textFields, textTable, writeRest } from '../printing.ts'
import { createProgress } from '../progress.ts'

const STATUSES = ['pending', 'processing', 'completed', 'failed', 'partial'] as const

type ListOptions = { memory?: string; status?: (typeof STATUSES)[number]; limit: number; json?: true }
type JobAction = 'cancel' | 'retry'

/** Jobs followed in parallel: each occupies a request, and a terminal has no room for more bars. */
const WATCHED_AT_ONCE = 100

/** `recollect jobs list|show|watch|cancel|retry`. */
export function addJobsCommands(program: Command, context: CliContext): void {
  const jobs = program.command('jobs').description('list, follow, cancel and retry background jobs')
  jobs
    .command('list')
    .description('list the jobs of all memories or one, newest first')
    .option('-m, --memory <memory>', 'only jobs of this memory, by id or exact name')
    .addOption(new Option('--status <status>', 'only jobs of this status').choices(STATUSES))
    .option('-n, --limit <number>', 'maximum number of jobs', wholeNumber(1, 100), 20)
    .option('--json', 'print the page as JSON')
    .action((options: ListOptions) => list(context, options))
  jobs
    .command('show <job_…>')
    .description('show a job')
    .option('--json', 'print it as JSON')
    .action((id: string, options: { json?: true }) => show(context, id, options))
  jobs
    .command('watch [job_…...]')
    .description('follow the named or all running jobs to their end; fails if one fails')
    .action((ids: string[]) => watch(context, ids))
  const changes: readonly (readonly [JobAction, string])[] = [
    ['cancel', 'cancel a job that waits or runs'],
    ['retry', 'do what a failed or partial job is missing'],
  ]
  for (const [name, description] of changes) {
    jobs
      .command(`${name} <job_…>`)
      .description(description)
      .action((id: string) => change(context, name, id))
  }
}

async function list(context: CliContext, options: ListOptions): Promise<void> {
  const client = openClient(context)
  const { memory, status, limit, json } = options
  const memoryId = memory === undefined ? {} : { memoryId: (await requireMemory(client, memory)).id }
  const page = await client.jobs.listPage({ limit, ...memoryId, ...(status === undefined ? {} : { status }) })
  if (json) return context.writeOut(asJson(page))
  const rows = page.jobs.map((job) => [job.id, job.status, `${job.progress}%`, shortTime(job.createdAt), describe(job)])
  context.writeOut(textTable(['ID', 'STATUS', 'DONE', 'CREATED', 'MESSAGE'], rows))
  writeRest(context, rows.length, page)
}

async function show(context: CliContext, id: string, { json }: { json?: true }): Promise<void> {
  const job = await openClient(context).jobs.get(id)
  if (json) return context.writeOut(asJson(job))
  const fields = {
    id: job.id,
    kind: job.jobType,
    memory: job.memoryId,
    status: job.status,
    done: `${job.progress}%`,
    message: oneLine(job.message),
    error: job.error === undefined ? null : oneLine(job.error),
    documents: job.result?.documentIds.join(' ') ?? null,
    attempts: job.attempts,
    created: shortTime(job.createdAt),
    started: shortTime(job.startedAt),
    ended: shortTime(job.completedAt),
  }
  context.writeOut(textFields(fields))
}

async function watch(context: CliContext, ids: readonly string[]): Promise<void> {
  const client = openClient(context)
  const chosen = ids.length > 0 ? [...new Set(ids)] : await listRunning(client)
  if (chosen.length === 0) return context.writeError('No job is waiting or running.\n')
  const progress = createProgress(context, { tellsSteps: true })
  const stop = new AbortController()
  const signal = anySignal(context.signal, stop.signal)
  const follow = async (id: string) => {
    const task = progress.begin(id)
    const onProgress = (job: Job) => task.update(job.progress / 100, describe(job))
    try {
      const job = await client.jobs.wait(id, { onProgress, signal })
      task.end(`${id}  ${job.status}  ${describe(job)}`)
      return job.status
    } catch (error) {
      // Report jobs that cannot be followed immediately, before the other jobs end.
      stop.abort()
      throw error
    }
  }
  try {
    const ends = await mapConcurrent(chosen, WATCHED_AT_ONCE, follow)
    const failed = ends.filter((status) => status === 'failed').length
    if (failed > 0)
      throw new Error(
        `${failed} of ${pluralize(ends.length, 'job')} failed. Try again with: recollect jobs retry <job>`,
      )
  } finally {
    progress.close()
  }
}

/**
 * Oldest first, since these finish first. Waiting jobs are listed before running ones, so that a
 * job that starts in between is not missed.
 */
async function listRunning(client: Client): Promise<string[]> {
  const found = new Set<string>()
  for (const status of ['pending', 'processing'] as const) {
    for await (const { id } of client.jobs.list({ status, limit: 100 })) found.add(id)
  }
  return [...found].sort()
}

async function change(context: CliContext, name: JobAction, id: string): Promise<void> {
  const job = await openClient(context).jobs[name](id)
  context.writeError(`${id} is ${name === 'cancel' ? 'cancelled' : 'queued again'} (${job.status}).\n`)
}

function describe({ error, message }: Job): string {
  return oneLine(error ?? message)
}
