import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS } from '../limits.ts'
import { PLAN_IDS } from './account.ts'
import { EARLIER, IDS } from './example-data.ts'
import { OneOf, ShownOnce, Text, Timestamp } from './values.ts'

const ORGANIZATION_FIELDS = {
  id: Text('Unique identifier of the organization. Starts with `org_`.'),
  name: Text('Display name of the organization.'),
  plan: OneOf(PLAN_IDS, 'Plan of the organization. It sets the limits of storage, memories and queries.'),
  createdAt: Timestamp('Time at which the organization was created.'),
}

/** An organization: a tenant of the installation. */
export const OrganizationSchema = Type.Object(ORGANIZATION_FIELDS, {
  $id: 'Organization',
  description: 'A tenant of the installation. Memories and keys of an organization are invisible to all others.',
})

/** An organization: a tenant with its own memories, keys and limits. */
export type OrganizationResource = Static<typeof OrganizationSchema>

/** A new organization with its first key. */
export const NewOrganizationSchema = Type.Object(
  {
    ...ORGANIZATION_FIELDS,
    keyId: Text("Identifier of the organization's first key."),
    key: ShownOnce("Secret of the organization's first key, which has full access to the organization."),
  },
  { $id: 'NewOrganization', description: 'A new organization, with its first key.' },
)

/** A new organization with its first key. */
export type NewOrganizationResource = Static<typeof NewOrganizationSchema>

/** Request body of POST /v1/organizations. */
export const CreateOrganizationBody = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS.max,
    description: 'Display name of the organization.',
  }),
  plan: Type.Optional(
    OneOf(
      PLAN_IDS,
      'Plan of the organization. It sets the limits of storage, memories and queries. Defaults to the ' +
        'plan of the installation.',
    ),
  ),
})

/** Example organization. */
export const ORGANIZATION_EXAMPLE: OrganizationResource = {
  id: IDS.organization,
  name: 'Acme',
  plan: 'starter',
  createdAt: EARLIER,
}
