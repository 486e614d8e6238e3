import { type Command, InvalidArgumentError, Option } from 'commander'
import type { OrganizationResource } from '../../api/account.ts'
import { KEY_ROLES, type KeyResource, type KeyRole } from '../../api/key.ts'
import { isId } from '../../ids.ts'
import { PAGE_LIMIT, PLANS, type PlanId } from '../../limits.ts'
import type { NewKey } from '../../services/account/keys-service.ts'
import type { CliContext, OpenKeys } from '../cli-context.ts'
import { isServiceNamed, openClient } from '../connection.ts'
import { parseExpiry } from '../options.ts'
import { asJson, oneLine, shortTime, textTable } from '../printing.ts'

/** Keys per page: the maximum of a list. */
const PAGE = 100

type OrganizationOption = { organization?: string }
type CreateOptions = OrganizationOption & {
  name?: string
  memory?: string[]
  role?: KeyRole
  expires?: string
  json?: true
}

/**
 * `recollect keys create|list|rename|revoke`. The commands use the named service, or else the local
 * data folder directly, beside a running service or without one. Any user who can read the folder
 * can create keys, so that a lost first key locks no one out.
 */
export function addKeysCommands(program: Command, context: CliContext): void {
  const keys = program
    .command('keys')
    .description('create, list, rename and revoke API keys of the local data folder, or of RECOLLECT_URL')
  keys
    .command('create')
    .description('create a key; it is printed once, and only its hash is stored')
    .option('--name <name>', 'name of the key')
    .option('--memory <mem_id...>', 'limit the key to these memories', collectMemoryIds)
    .addOption(
      new Option('--role <role>', 'what the key may do (default: admin, or writer with --memory)').choices(KEY_ROLES),
    )
    .option('--expires <when>', 'expiry: 12h, 90d, 6w, 2027-01-31', (text) => parseExpiry(text, context.now()))
    .option('--organization <org_…>', 'organization of the data folder (default: the first one)', parseOrganizationId)
    .option('--json', 'print the whole key record as JSON')
    .action((options: CreateOptions) => withKeys(context, options, (own) => create(own, options, context)))
  keys
    .command('list')
    .description('list the keys that are not revoked')
    .option('--organization <org_…>', 'organization of the data folder (default: the first one)', parseOrganizationId)
    .option('--json', 'print them as JSON')
    .action((options: OrganizationOption & { json?: true }) =>
      withKeys(context, options, (own) => list(own, options, context)),
    )
  keys
    .command('rename <key_…> <name>')
    .description('change the name of a key')
    .option('--organization <org_…>', 'organization of the data folder (default: the first one)', parseOrganizationId)
    .action((id: string, name: string, options: OrganizationOption) =>
      withKeys(context, options, async (own) => {
        const renamed = await own.rename(id, name)
        context.writeError(`${id} is named "${oneLine(renamed.name)}".\n`)
      }),
    )
  keys
    .command('revoke <key_…>')
    .description('revoke a key; a running service rejects it within a second')
    .option('--organization <org_…>', 'organization of the data folder (default: the first one)', parseOrganizationId)
    .option('--force', 'revoke the last admin key of a service, too')
    .action((id: string, options: OrganizationOption & { force?: true }) =>
      withKeys(context, options, async (own) => {
        await own.revoke(id, options.force === true)
        context.writeError(`${id} is revoked.\n`)
      }),
    )
}

/** Actions on the keys of a service or a data folder. */
type KeyActions = {
  create(input: NewKey): Promise<CreatedKey>
  list(page: { limit: number; cursor?: string }): Promise<{ keys: readonly KeyResource[]; nextCursor: string | null }>
  rename(id: string, name: string): Promise<Pick<KeyResource, 'name'>>
  revoke(id: string, force: boolean): Promise<unknown>
}

type CreatedKey = KeyResource & { key: string | null }

/**
 * Runs the work with the keys of the named service, or of an organization of the local data folder
 * (default: the first).
 */
async function withKeys(
  context: CliContext,
  { organization }: OrganizationOption,
  work: (keys: KeyActions) => Promise<void>,
): Promise<void> {
  // A key belongs to one organization; only the data folder has several.
  if (isServiceNamed(context) && organization === undefined) return work(keysOfService(context))
  return withInstallation(context, organization, ({ keys, caller }) =>
    work({
      create: (input) => keys.create(caller, input),
      list: ({ limit, cursor }) => keys.list(caller, { limit, cursor: cursor ?? null }),
      rename: (id, name) => keys.rename(caller, id, name),
      // Users of the data folder can create another admin key.
      revoke: (id) => keys.revoke(caller, id, { force: true }),
    }),
  )
}

/** The keys of a service, which may run on another machine. */
function keysOfService(context: CliContext): KeyActions {
  const client = openClient(context)
  return {
    create: ({ name, memoryIds, role, expiresAt }) =>
      client.keys.create({
        name,
        ...(memoryIds === null ? {} : { memoryIds: [...memoryIds] }),
        ...(role === null ? {} : { role }),
        ...(expiresAt === null ? {} : { expiresAt }),
      }),
    list: (page) => client.call('listKeys', { query: page }),
    rename: (id, name) => client.keys.rename(id, name),
    revoke: (id, force) => client.call('revokeKey', { path: { id }, query: { force } }),
  }
}

async function withInstallation(
  context: CliContext,
  organization: string | undefined,
  work: (open: OpenKeys) => Promise<void>,
): Promise<void> {
  const open = await context.openKeys(organization)
  try {
    await work(open)
  } finally {
    await open.close()
  }
}

async function create(keys: KeyActions, options: CreateOptions, out: CliContext): Promise<void> {
  const { name = 'command line', memory: memoryIds = null, role = null, expires: expiresAt = null } = options
  const made = await keys.create({ name, memoryIds, role, expiresAt })
  if (made.key === null)
    throw new Error(`${made.id} is made, but the answer with it was lost. Revoke it, and try again.`)
  if (options.json) return out.writeOut(asJson(made))
  const reach = made.memoryIds.length === 0 ? 'the whole organization' : made.memoryIds.join(', ')
  const end = made.expiresAt === null ? '' : `, until ${made.expiresAt}`
  // Only the key goes to standard output, so that a script can use KEY=$(recollect keys create).
  out.writeError(`${made.id} "${made.name}", ${made.role} for ${reach}${end}. The key is shown this once:\n`)
  out.writeOut(`${made.key}\n`)
}

async function list(keys: KeyActions, options: { json?: true }, out: CliContext): Promise<void> {
  const found: KeyResource[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Awaited<ReturnType<KeyActions['list']>> = await keys.list({
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    })
    found.push(...page.keys)
    cursor = page.nextCursor
  }
  if (options.json) return out.writeOut(asJson({ keys: found }))
  const header = ['ID', 'KEY', 'FOR', 'ROLE', 'CREATED', 'LAST USED', 'EXPIRES', 'NAME']
  out.writeOut(textTable(header, found.map(toRow)))
}

function toRow(key: KeyResource): string[] {
  const times = [key.createdAt, key.lastUsedAt, key.expiresAt].map(shortTime)
  const reach = key.memoryIds.length === 0 ? 'organization' : key.memoryIds.join(' ')
  return [key.id, key.keyPreview, reach, key.role, ...times, oneLine(key.name)]
}

function parseOrganizationId(text: string): string {
  if (isId('org', text)) return text
  throw new InvalidArgumentError('An organization id looks like org_01jd0000000000000000000000.')
}

function collectMemoryIds(text: string, earlier: string[] = []): string[] {
  if (isId('mem', text)) return [...earlier, text]
  throw new InvalidArgumentError('A memory id looks like mem_01jd0000000000000000000000.')
}

type CreateOrganizationOptions = { plan?: PlanId; json?: true }

/**
 * `recollect organizations create|list`. The commands use the installation directly, like
 * `recollect keys`. An organization is a tenant with its own memories, keys and limits, which no
 * key of another tenant can see.
 */
export function addOrganizationsCommands(program: Command, context: CliContext): void {
  const organizations = program
    .command('organizations')
    .description('create and list the organizations of this installation')
  organizations
    .command('create <name>')
    .description('create an organization and its first key; the key is printed once')
    .addOption(
      new Option('--plan <plan>', 'plan with its limits (default: RECOLLECT_PLAN)').choices(Object.keys(PLANS)),
    )
    .option('--json', 'print the whole record as JSON')
    .action((name: string, options: CreateOrganizationOptions) =>
      withInstallation(context, undefined, (open) => createOrganization(open, { name, ...options }, context)),
    )
  organizations
    .command('list')
    .description('list the organizations')
    .option('--json', 'print them as JSON')
    .action((options: { json?: true }) =>
      withInstallation(context, undefined, (open) => listOrganizations(open, options, context)),
    )
}

async function createOrganization(
  { organizations }: OpenKeys,
  { name, plan, json }: CreateOrganizationOptions & { name: string },
  out: CliContext,
): Promise<void> {
  const made = await organizations.create({ name, plan: plan ?? null })
  if (json) return out.writeOut(asJson(made))
  out.writeError(`${made.id} "${oneLine(made.name)}", plan ${made.plan}. Its first key is shown this once:\n`)
  out.writeOut(`${made.key}\n`)
}

async function listOrganizations(
  { organizations }: OpenKeys,
  { json }: { json?: true },
  out: CliContext,
): Promise<void> {
  const found: OrganizationResource[] = []
  for (let cursor: string | null = null, more = true; more; ) {
    const page: Awaited<ReturnType<typeof organizations.list>> = await organizations.list({
      limit: PAGE_LIMIT.max,
      cursor,
    })
    found.push(...page.organizations)
    cursor = page.nextCursor
    more = page.hasMore
  }
  if (json) return out.writeOut(asJson({ organizations: found }))
  const rows = found.map(({ id, plan, createdAt, name }) => [id, plan, shortTime(createdAt), oneLine(name)])
  out.writeOut(textTable(['ID', 'PLAN', 'CREATED', 'NAME'], rows))
}
