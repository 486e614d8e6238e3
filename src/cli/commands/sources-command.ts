import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { MemorySource } from '../../client/sources.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireMemory } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { collect, wholeNumber, withMemory } from '../options.ts'
import { asJson, oneLine, shortTime, textTable } from '../printing.ts'

type ListOptions = { memory?: string; json?: true }
type AddOptions = ListOptions & {
  name?: string
  every?: number
  tag?: string[]
  endpoint?: string
  region?: string
  sitemap?: true
  maxPages?: number
  exclude?: string[]
}

const MAX_MINUTES = 44_640

/** `recollect sources list|add|run|pause|resume|remove`. */
export function addSourcesCommands(program: Command, context: CliContext): void {
  const sources = program.command('sources').description('let a memory follow websites, buckets and folders')
  withMemory(sources.command('list'))
    .description('list the sources with their last runs')
    .option('--json', 'print them as JSON')
    .action((options: ListOptions) => list(context, options))
  withMemory(sources.command('add <address>'))
    .description('follow a website (https://…), a bucket (s3://bucket/prefix) or a folder of the service (/path)')
    .option('--name <name>', 'name of the source (default: the address)')
    .option('--every <minutes>', 'minutes between runs (default: runs on request)', wholeNumber(1, MAX_MINUTES))
    .option('--tag <tag>', 'tag of the documents; repeatable', collect)
    .option('--exclude <pattern>', 'leave files out, in the syntax of .gitignore; repeatable', collect)
    .option('--sitemap', 'the address is a sitemap')
    .option('--max-pages <number>', 'maximum number of pages of a website', wholeNumber(1, 10_000))
    .option('--endpoint <url>', 'address of the S3 store (default: AWS); credentials: AWS_ACCESS_KEY_ID and …')
    .option('--region <region>', 'region of the bucket')
    .option('--json', 'print the source as JSON')
    .action((address: string, options: AddOptions) => add(context, address, options))
  for (const [verb, description] of [
    ['run', 'start a run now'],
    ['pause', 'end the run in progress, and start no further one'],
    ['resume', 'resume a paused source'],
  ] as const) {
    withMemory(sources.command(`${verb} <src_…>`))
      .description(description)
      .option('--json', 'print the source as JSON')
      .action((id: string, options: ListOptions) => change(context, { id, verb }, options))
  }
  withMemory(sources.command('remove <src_…>'))
    .description('delete a source')
    .addOption(
      new Option('--documents <what>', 'keep or delete its documents').choices(['keep', 'delete']).default('keep'),
    )
    .action((id: string, options: { memory?: string; documents: 'keep' | 'delete' }) => remove(context, id, options))
}

async function list(context: CliContext, { memory, json }: ListOptions): Promise<void> {
  const client = openClient(context)
  const sources: MemorySource[] = []
  for await (const source of client.sources.list((await requireMemory(client, memory)).id)) sources.push(source)
  if (json) return context.writeOut(asJson({ sources }))
  context.writeOut(textTable(['ID', 'TYPE', 'STATUS', 'DOCUMENTS', 'LAST RUN', 'OUTCOME', 'NAME'], sources.map(toRow)))
  for (const { id, lastRun } of sources)
    if (lastRun !== null && lastRun.reason !== null) context.writeError(`${id}: ${oneLine(lastRun.reason)}\n`)
}

function toRow({ id, type, status, documentCount, lastRun, name }: MemorySource): string[] {
  const { endedAt = null, outcome = null } = lastRun ?? {}
  const ended = endedAt === null ? '-' : shortTime(endedAt)
  return [id, type, status, String(documentCount), ended, outcome ?? '-', oneLine(name)]
}

async function add(context: CliContext, address: string, options: AddOptions): Promise<void> {
  const { name, every, tag, memory, json } = options
  const client = openClient(context)
  const { id } = await requireMemory(client, memory)
  const source = await client.sources.create(id, {
    ...readAddress(context, address, options),
    ...(name !== undefined && { name }),
    ...(every !== undefined && { intervalMinutes: every }),
    ...(tag !== undefined && { tags: tag }),
  })
  if (json) return context.writeOut(asJson(source))
  context.writeOut(`${source.id}\n`)
  context.writeError(`${source.id} is made; the first run starts soon. See recollect sources list.\n`)
}

const BUCKET = /^s3:\/\/([^/]+)\/?(.*)$/

/** Type and settings of an address; credentials of a bucket are those of the shell. */
function readAddress({ environment }: CliContext, address: string, options: AddOptions) {
  const { endpoint, region, sitemap, maxPages, exclude = [] } = options
  if (/^https?:\/\//i.test(address)) {
    const urls = sitemap ? { sitemapUrl: address } : { startUrls: [address] }
    return { type: 'website' as const, website: { ...urls, ...(maxPages !== undefined && { maxPages }) } }
  }
  const [, bucket, prefix = ''] = BUCKET.exec(address) ?? []
  if (bucket !== undefined) {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: token,
    } = environment
    const credentials = { ...(token && { sessionToken: token }) }
    return {
      type: 's3' as const,
      s3: {
        ...{ bucket, prefix, exclude },
        ...(region !== undefined && { region }),
        ...(endpoint !== undefined && { endpoint, pathStyle: true }),
        ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey, ...credentials } }),
      },
    }
  }
  if (/^\w+:\/\//.test(address)) throw new UsageError('Give https://…, s3://bucket/prefix or the path of a folder.')
  return { type: 'folder' as const, folder: { path: resolve(address), exclude } }
}

type Change = { id: string; verb: 'run' | 'pause' | 'resume' }

async function change(context: CliContext, { id, verb }: Change, { memory, json }: ListOptions): Promise<void> {
  const client = openClient(context)
  const source = await client.sources[verb]((await requireMemory(client, memory)).id, id)
  if (json) return context.writeOut(asJson(source))
  context.writeError(`${id} is ${source.status}.\n`)
}

type RemoveOptions = { memory?: string; documents: 'keep' | 'delete' }

async function remove(context: CliContext, id: string, { memory, documents }: RemoveOptions): Promise<void> {
  const client = openClient(context)
  await client.sources.delete((await requireMemory(client, memory)).id, id, { documents })
  context.writeError(`${id} is removed.\n`)
}
