import { Type } from 'typebox'
import { AccountSchema } from '../../api/account.ts'
import type { NewOrganizationResource } from '../../api/organization.ts'
import { CreateOrganizationBody, NewOrganizationSchema, OrganizationSchema } from '../../api/organization.ts'
import { pageOf, pageParameters } from '../../api/values.ts'
import { JSON_BODY_BYTES, PAGE_LIMIT } from '../../limits.ts'
import { created, ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pageRequest } from './parameters.ts'

/** An organization has no address of its own: `GET /v1/account` with one of its keys describes it. */
function toCreated(organization: NewOrganizationResource) {
  return { ...created<NewOrganizationResource>('/v1/account', organization), shownOnce: 'key' }
}

/** Organizations, for the operator of the installation. */
export const ORGANIZATION_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/organizations',
    operationId: 'createOrganization',
    summary: 'Make an organization and its first key, shown this once; needs the admin key of the installation',
    description:
      'Makes a tenant of the installation with its own memories, keys and limits. It needs the admin key ' +
      'of the installation, and the first key of the organization is in this answer alone.',
    tag: 'Organizations',
    access: 'installation',
    body: CreateOrganizationBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The organization, with its first key.', schema: NewOrganizationSchema } },
    errors: [],
    handle: async ({ services, body, keepAs }) =>
      toCreated(await services.organizations.create({ name: body.name, plan: body.plan ?? null }, keepAs(toCreated))),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/organizations',
    operationId: 'listOrganizations',
    summary: 'List the organizations of the installation; needs its admin key',
    description: 'Lists the tenants of the installation. It needs the admin key of the installation.',
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
      ok(await services.organizations.list(pageRequest({ query, reserveMemory }, PAGE_LIMIT.organizations))),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/account',
    operationId: 'getAccount',
    summary: 'Organization, plan, limits and usage',
    description: 'Describes the organization of the key: its plan with all limits, and what it uses of them.',
    tag: 'Account',
    access: 'organization',
    answers: { 200: { description: 'The account.', schema: AccountSchema } },
    errors: [],
    handle: async ({ services, caller }) => ok(await services.account.get(caller)),
  }),
]
