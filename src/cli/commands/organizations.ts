import { type Command, Option } from 'commander'
import type { OrganizationResource } from '../../api/organization.ts'
import { PAGE_LIMIT, PLANS, type PlanId } from '../../limits.ts'
import { asJson, oneLine, shortTime, textTable } from '../printing/printable.ts'
import type { OpenKeys, Surroundings } from '../surroundings.ts'
import { withKeys } from './keys.ts'

type CreateOrganizationOptions = { plan?: PlanId; json?: true }

/**
 * `recollect organizations create|list`. They work on the installation itself, beside a running service or without one, as `recollect keys` does. An
 * organization is a tenant: its memories, keys and limits are its own, and no key of another one sees them.
 */
export function addOrganizationsCommands(program: Command, surroundings: Surroundings): void {
  const organizations = program
    .command('organizations')
    .description('make and list the organizations of this installation')
  organizations
    .command('create <name>')
    .description('make an organization and its first key; the key is printed once')
    .addOption(new Option('--plan <plan>', 'its limits (default: RECOLLECT_PLAN)').choices(Object.keys(PLANS)))
    .option('--json', 'print the whole record as JSON')
    .action((name: string, options: CreateOrganizationOptions) =>
      withKeys(surroundings, {}, (open) => createOrganization(open, { name, ...options }, surroundings)),
    )
  organizations
    .command('list')
    .description('list the organizations')
    .option('--json', 'print them as JSON')
    .action((options: { json?: true }) =>
      withKeys(surroundings, {}, (open) => listOrganizations(open, options, surroundings)),
    )
}

async function createOrganization(
  { organizations }: OpenKeys,
  { name, plan, json }: CreateOrganizationOptions & { name: string },
  out: Surroundings,
): Promise<void> {
  const made = await organizations.create({ name, plan: plan ?? null })
  if (json) return out.writeOut(asJson(made))
  out.writeError(`${made.id} "${oneLine(made.name)}", plan ${made.plan}. Its first key is shown this once:\n`)
  out.writeOut(`${made.key}\n`)
}

async function listOrganizations(
  { organizations }: OpenKeys,
  { json }: { json?: true },
  out: Surroundings,
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
