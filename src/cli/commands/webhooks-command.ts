import { type Command, Option } from 'commander'
import type { Webhook, WebhookDelivery } from '../../client/accounts.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient } from '../connection.ts'
import { wholeNumber } from '../options.ts'
import { asJson, oneLine, shortTime, textTable, writeRest } from '../printing.ts'

const EVENTS = ['job.completed', 'job.failed', 'job.partial'] as const

type AddOptions = { event?: (typeof EVENTS)[number][]; json?: true }

/** `recollect webhooks list|add|remove|test|deliveries`. */
export function addWebhooksCommands(program: Command, context: CliContext): void {
  const webhooks = program.command('webhooks').description('notify other programs when jobs finish')
  webhooks
    .command('list')
    .description('list the webhooks, newest first')
    .option('--json', 'print them as JSON')
    .action((options: { json?: true }) => list(context, options))
  webhooks
    .command('add <url>')
    .description('send finished jobs to a URL; the secret for verification is printed once')
    .addOption(new Option('--event <event...>', 'only these events (default: all)').choices(EVENTS))
    .option('--json', 'print the whole webhook as JSON')
    .action((url: string, options: AddOptions) => add(context, url, options))
  webhooks
    .command('remove <whk_…>')
    .description('delete a webhook and its pending messages')
    .action((id: string) => remove(context, id))
  webhooks
    .command('test <whk_…>')
    .description('send a test message now; a success re-enables a disabled webhook')
    .option('--json', 'print the result as JSON')
    .action((id: string, options: { json?: true }) => test(context, id, options))
  webhooks
    .command('deliveries <whk_…>')
    .description('list delivery attempts, newest first')
    .option('-n, --limit <number>', 'attempts at most', wholeNumber(1, 100), 20)
    .option('--json', 'print the page as JSON')
    .action((id: string, options: { limit: number; json?: true }) => listDeliveries(context, id, options))
}

async function list(context: CliContext, { json }: { json?: true }): Promise<void> {
  const webhooks: Webhook[] = []
  for await (const webhook of openClient(context).webhooks.list()) webhooks.push(webhook)
  if (json) return context.writeOut(asJson({ webhooks }))
  context.writeOut(textTable(['ID', 'STATUS', 'WAITING', 'EVENTS', 'CREATED', 'URL'], webhooks.map(toRow)))
  for (const { id, disabledReason } of webhooks) {
    if (disabledReason !== null) context.writeError(`${id} is disabled: ${oneLine(disabledReason)}\n`)
  }
}

function toRow({ id, status, waiting, events, createdAt, url }: Webhook): string[] {
  const names = events.length === EVENTS.length ? 'all' : events.map((event) => event.replace('job.', '')).join(',')
  return [id, status, String(waiting), names, shortTime(createdAt), oneLine(url)]
}

async function add(context: CliContext, url: string, { event, json }: AddOptions): Promise<void> {
  const webhook = await openClient(context).webhooks.create({
    url,
    ...(event === undefined ? {} : { events: event }),
  })
  if (webhook.secret === null) {
    throw new Error(`${webhook.id} is made, but the answer with its secret was lost. Remove it and add another.`)
  }
  if (json) return context.writeOut(asJson(webhook))
  // Only the secret goes to standard output, like keys.
  context.writeError(`${webhook.id} is made. The secret is shown this once:\n`)
  context.writeOut(`${webhook.secret}\n`)
}

async function remove(context: CliContext, id: string): Promise<void> {
  await openClient(context).webhooks.delete(id)
  context.writeError(`${id} is removed.\n`)
}

async function test(context: CliContext, id: string, { json }: { json?: true }): Promise<void> {
  const delivery = await openClient(context).webhooks.test(id)
  if (json) context.writeOut(asJson(delivery))
  const { outcome, statusCode, durationMs, error } = delivery
  if (outcome === 'failed') throw new Error(oneLine(error ?? 'The test did not arrive.'))
  if (!json) context.writeError(`The test arrived: ${statusCode} after ${durationMs} ms.\n`)
}

async function listDeliveries(
  context: CliContext,
  id: string,
  { limit, json }: { limit: number; json?: true },
): Promise<void> {
  const page = await openClient(context).webhooks.listDeliveriesPage(id, { limit })
  if (json) return context.writeOut(asJson(page))
  const header = ['WHEN', 'EVENT', 'JOB', 'TRY', 'OUTCOME', 'STATUS', 'MS', 'NEXT', 'ANSWER']
  context.writeOut(textTable(header, page.deliveries.map(toDeliveryRow)))
  writeRest(context, page.deliveries.length, page)
}

function toDeliveryRow(delivery: WebhookDelivery): string[] {
  const { attemptedAt, event, jobId, attempt, outcome, statusCode, durationMs, nextAttemptAt } = delivery
  const answer = oneLine(delivery.statusCode === null ? (delivery.error ?? '') : (delivery.response ?? '')).slice(0, 60)
  return [
    shortTime(attemptedAt),
    event,
    jobId ?? '-',
    String(attempt),
    outcome,
    String(statusCode ?? '-'),
    String(durationMs),
    shortTime(nextAttemptAt),
    answer,
  ]
}
