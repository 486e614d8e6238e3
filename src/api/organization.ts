import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS } from '../limits.ts'
import { PLAN_IDS } from './account.ts'
import { EARLIER, IDS } from './story.ts'
import { OneOf, ShownOnce, Text, Timestamp } from './values.ts'

const ORGANIZATION_FIELDS = {
  id: Text('The identifier of the organization. It begins with org_.'),
  name: Text('What people call the organization.'),
  plan: OneOf(PLAN_IDS, 'The plan, which sets the limits of storage, memories and queries.'),
  createdAt: Timestamp('When the organization was made.'),
}

/** An organization: a tenant of the installation. */
export const OrganizationSchema = Type.Object(ORGANIZATION_FIELDS, {
  $id: 'Organization',
  description: 'A tenant of the installation, whose memories and keys no other one sees.',
})

/** An organization: a tenant, whose memories, keys and limits no other one sees. */
export type OrganizationResource = Static<typeof OrganizationSchema>

/** An organization as it is shown once, when it is made. */
export const NewOrganizationSchema = Type.Object(
  {
    ...ORGANIZATION_FIELDS,
    keyId: Text('The identifier of the first key of the organization.'),
    key: ShownOnce('The first key of the organization, which may do everything in it.'),
  },
  { $id: 'NewOrganization', description: 'An organization that was just made, with its first key.' },
)

/** An organization with its first key, which is shown this once. */
export type NewOrganizationResource = Static<typeof NewOrganizationSchema>

/** The body of POST /v1/organizations. */
export const CreateOrganizationBody = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS.max,
    description: 'What people call the organization.',
  }),
  plan: Type.Optional(
    OneOf(
      PLAN_IDS,
      'The plan, which sets the limits of storage, memories and queries; that of the installation where it ' +
        'is left out.',
    ),
  ),
})

/** An organization beside the first. */
export const ORGANIZATION_EXAMPLE: OrganizationResource = {
  id: IDS.organization,
  name: 'Acme',
  plan: 'starter',
  createdAt: EARLIER,
}
