import { type Command, Option } from 'commander'
import type { Account, Readiness, UsageFigures } from '../../client/accounts.ts'
import type { Client } from '../../client/client.ts'
import { ForbiddenError } from '../../client/client-errors.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, readConnection, readHealth, requireMemory } from '../connection.ts'
import { wholeNumber } from '../options.ts'
import { asJson, oneLine, textFields, textTable } from '../printing.ts'

type JsonOption = { json?: true }

/** `recollect status`. */
export function addStatusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('show whether the service is ready, who the key belongs to, and what is running')
    .option('--json', 'print it as JSON')
    .action((options: JsonOption) => showStatus(context, options))
}

/** Rejects if the service is not ready. */
async function showStatus(context: CliContext, { json }: JsonOption): Promise<void> {
  const client = openClient(context)
  const { baseUrl } = readConnection(context)
  // The client's error for an unreachable service has the exit status that scripts expect.
  const { version } = await client.call('getHealth', {}, { signal: context.signal })
  const { status, checks } = (await readHealth(context, `${baseUrl}/health/ready`)) as Readiness
  const down = Object.entries(checks).filter(([, check]) => check.status === 'down')
  if (status !== 'ready') throw new Error(`${baseUrl} is ${status}: ${down.map(describeCheck).join('; ')}.`)
  const account = await readAccount(client)
  const [memories, running, waiting] = await Promise.all([
    client.memories.listPage({ limit: 1 }),
    client.jobs.listPage({ limit: 1, status: 'processing' }),
    client.jobs.listPage({ limit: 1, status: 'pending' }),
  ])
  const jobs = { running: running.total, waiting: waiting.total }
  if (json) return context.writeOut(asJson({ url: baseUrl, version, status, checks, account, jobs }))
  const fields = {
    service: `${baseUrl}, version ${version}`,
    state: [status, ...down.map(describeCheck)].join('; '),
    key: account === null ? 'for one memory' : describeKey(account),
    organization: account === null ? null : oneLine(account.organization.name),
    memories: memories.total,
    documents: account?.usage.documents ?? null,
    jobs: `${jobs.running} running, ${jobs.waiting} waiting`,
  }
  context.writeOut(textFields(fields))
}

function describeCheck([name, { error }]: [string, Readiness['checks'][string]]): string {
  return `${name} is down${error === undefined ? '' : ` (${oneLine(error)})`}`
}

function describeKey({ apiKey }: Account): string {
  return apiKey === null ? 'none is required' : `${apiKey.id} "${oneLine(apiKey.name)}"`
}

/** The organization of the key; `null` for a key of one memory. */
async function readAccount(client: Client): Promise<Account | null> {
  try {
    return await client.account()
  } catch (error) {
    if (error instanceof ForbiddenError && error.code === 'scope_forbidden') return null
    throw error
  }
}

type UsageOptions = JsonOption & { days?: number; memory?: string; by?: 'memory' | 'key' }

/** `recollect usage`. */
export function addUsageCommand(program: Command, context: CliContext): void {
  program
    .command('usage')
    .description('show storage, memories, documents and queries of the organization, and their limits')
    .option('--days <number>', 'show the figures of each of the last days instead', wholeNumber(1, 90))
    .option('-m, --memory <memory>', 'only the figures of this memory, by id or exact name')
    .addOption(new Option('--by <group>', 'the totals of each memory or key, of 30 days').choices(['memory', 'key']))
    .option('--json', 'print it as JSON')
    .action((options: UsageOptions) => {
      const { days, memory, by } = options
      const isHistory = days !== undefined || memory !== undefined || by !== undefined
      return isHistory ? showHistory(context, options) : showUsage(context, options)
    })
}

const DAY_MS = 24 * 60 * 60_000
const DEFAULT_DAYS = 30

async function showHistory(context: CliContext, { days = DEFAULT_DAYS, memory, by, json }: UsageOptions) {
  const from = new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  const client = openClient(context)
  const usage = await client.usage({
    from,
    ...(memory !== undefined && { memoryId: (await requireMemory(client, memory)).id }),
    ...(by !== undefined && { groupBy: by }),
  })
  if (json) return context.writeOut(asJson(usage))
  const rows =
    by === undefined
      ? usage.days.map((day) => toUsageRow(day.day, day))
      : usage.groups.map(({ id, totals }) => toUsageRow(id ?? '-', totals))
  const header = ['FINDS', 'ASKS', 'DECLINED', 'EXTRACTS', 'FAILED', 'ADDED', 'PAGES', 'OCR', 'FIND P95', 'ASK P95']
  const table = [...rows, toUsageRow('total', usage.totals)]
  context.writeOut(textTable([by?.toUpperCase() ?? 'DAY', ...header, 'STORAGE'], table))
  if (usage.groupsLeftOut > 0) context.writeError(`The total includes ${usage.groupsLeftOut} more.\n`)
}

function toUsageRow(name: string, figures: UsageFigures): string[] {
  const { finds, asks, asksDeclined, extractions, failedRequests, documentsAdded } = figures
  const { pagesWithText, pagesRecognized, findP95Ms, askP95Ms, storageBytes } = figures
  const counts = [finds, asks, asksDeclined, extractions, failedRequests, documentsAdded, pagesWithText]
  const times = [findP95Ms, askP95Ms].map((ms) => (ms === null ? '-' : `${ms} ms`))
  const storage = storageBytes === null ? '-' : formatBytes(storageBytes)
  return [name, ...[...counts, pagesRecognized].map(String), ...times, storage]
}

async function showUsage(context: CliContext, { json }: JsonOption): Promise<void> {
  const account = await openClient(context).account()
  if (json) return context.writeOut(asJson(account))
  const { organization, plan, usage } = account
  const { storageBytes, memories, queriesPerMonth } = plan.limits
  const rows = [
    ['storage', formatBytes(usage.storageBytes), storageBytes === null ? '-' : formatBytes(storageBytes)],
    ['memories', String(usage.memories), String(memories ?? '-')],
    ['documents', String(usage.documents), '-'],
    [`queries since ${usage.period.start.slice(0, 10)}`, String(usage.queries), String(queriesPerMonth ?? '-')],
  ]
  context.writeOut(`${oneLine(organization.name)}, plan ${plan.name}\n\n${textTable(['', 'USED', 'LIMIT'], rows)}`)
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`
}

/** `recollect open`. */
export function addOpenCommand(program: Command, context: CliContext): void {
  program
    .command('open')
    .description('open the console of the service in the browser, and print its address')
    .addOption(new Option('--page <page>', 'page to open').choices(['console', 'docs']).default('console'))
    .action((options: { page: 'console' | 'docs' }) => openPage(context, options))
}

async function openPage(context: CliContext, { page }: { page: 'console' | 'docs' }): Promise<void> {
  const { baseUrl } = readConnection(context)
  // A browser would show its own error page.
  await openClient(context).call('getHealth', {}, { signal: context.signal })
  const url = `${baseUrl}${page === 'docs' ? '/docs' : '/'}`
  context.writeOut(`${url}\n`)
  if (!(await context.openUrl(url))) context.writeError('No browser was found. Open the address yourself.\n')
}
