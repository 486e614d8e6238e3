import { Type } from 'typebox'
import type { NewOrganizationResource } from '../../api/account.ts'
import {
  AccountSchema,
  CreateOrganizationBody,
  NewOrganizationSchema,
  OrganizationSchema,
  UsageQuery,
  UsageSchema,
} from '../../api/account.ts'
import { pageOf, pageParameters } from '../../api/values.ts'
import { JSON_BODY_BYTES, PAGE_LIMIT, QUERY_BUDGET, USAGE } from '../../limits.ts'
import { created, ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { readPageRequest } from './parameters.ts'

/** An organization has no separate URL: `GET /v1/account` describes the organization of a key. */
function toCreated(organization: NewOrganizationResource) {
  return { ...created<NewOrganizationResource>('/v1/account', organization), shownOnce: 'key' }
}

/** Organizations, for the operator of the installation, and the account of a key. */
export const ORGANIZATION_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/organizations',
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description:
      'Creates an organization with its own memories, keys and limits. Requires the admin key of the ' +
      'installation. The first key is only returned in this response.',
    tag: 'Organizations',
    access: 'installation',
    body: CreateOrganizationBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The organization, with its first key.', schema: NewOrganizationSchema } },
    errors: [],
    handle: async ({ services, body, storeResponseAs }) =>
      toCreated(
        await services.organizations.create({ name: body.name, plan: body.plan ?? null }, storeResponseAs(toCreated)),
      ),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/organizations',
    operationId: 'listOrganizations',
    summary: 'List organizations',
    description: 'Lists the organizations of the installation. Requires the admin key of the installation.',
    tag: 'Organizations',
    access: 'installation',
    query: Type.Object(pageParameters(PAGE_LIMIT.organizations)),
    answers: {
      200: {
        description: 'A page of organizations, newest first.',
        schema: pageOf('organizations', OrganizationSchema),
      },
    },
    errors: ['invalid_cursor'],
    handle: async ({ services, query, reserveMemory }) =>
      ok(await services.organizations.list(readPageRequest({ query, reserveMemory }, PAGE_LIMIT.organizations))),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/account',
    operationId: 'getAccount',
    summary: 'Get the account',
    description: 'Returns the organization of the key with its plan, limits and usage.',
    tag: 'Account',
    access: 'organization',
    answers: { 200: { description: 'The account.', schema: AccountSchema } },
    errors: [],
    handle: async ({ services, caller }) => ok(await services.account.get(caller)),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/usage',
    operationId: 'getUsage',
    summary: 'Get the usage by day',
    description:
      'Returns the figures of each day, also of days without use, and their totals. A memory-scoped key only sees ' +
      `its memories. Figures are kept for ${USAGE.days} days. The last seconds of other processes may be missing, ` +
      'and a process that crashes loses the seconds that it has not written. Sizes are measured every minute.',
    tag: 'Account',
    access: 'memory',
    query: UsageQuery,
    answers: { 200: { description: 'The usage, earliest day first.', schema: UsageSchema } },
    errors: ['memory_not_found', 'key_not_found'],
    handle: async ({ services, caller, query, reserveMemory }) => {
      const series = query.groupBy === undefined ? 1 : 1 + USAGE.groups
      reserveMemory(series * QUERY_BUDGET.itemBytes.explained)
      return ok(await services.usage.get(caller, query))
    },
  }),
]
