import { Type } from 'typebox'
import { NAME_CHARACTERS } from '../../limits.ts'
import { Count, Nullable, OneOf, shownOnce, Timestamp } from './values.ts'

const PLAN_ID = OneOf(['free', 'starter', 'unlimited'])

const PlanSchema = Type.Object({
  id: PLAN_ID,
  name: Type.String(),
  limits: Type.Object({
    storageBytes: Nullable(Count),
    memories: Nullable(Count),
    queriesPerMonth: Nullable(Count),
    maxFileBytes: Count,
    maxImageBytes: Count,
    requestTimeoutSeconds: Count,
    requestBodyBytes: Count,
  }),
})

const KEY_SCOPE = OneOf(['organization', 'memory'])

/** The answer of GET /v1/account. */
export const AccountSchema = Type.Object(
  {
    organization: Type.Object({ id: Type.String(), name: Type.String(), createdAt: Timestamp }),
    plan: PlanSchema,
    usage: Type.Object({
      storageBytes: Count,
      memories: Count,
      documents: Count,
      queries: Count,
      period: Type.Object({ start: Timestamp, end: Timestamp }),
    }),
    apiKey: Nullable(
      Type.Object({ id: Type.String(), name: Type.String(), scope: KEY_SCOPE, memoryId: Nullable(Type.String()) }),
    ),
  },
  { $id: 'Account' },
)

const KEY_FIELDS = {
  id: Type.String(),
  name: Type.String(),
  keyPreview: Type.String({ description: 'The first 8 and the last 4 characters.' }),
  scope: KEY_SCOPE,
  memoryId: Nullable(Type.String()),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp),
}

/** A key without its secret. */
export const KeySchema = Type.Object(KEY_FIELDS, { $id: 'Key' })

/** A key as it is shown once, when it is made. */
export const NewKeySchema = Type.Object({ ...KEY_FIELDS, key: shownOnce('The key itself.') }, { $id: 'NewKey' })

/** The body of POST /v1/keys. */
export const CreateKeyBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: NAME_CHARACTERS.max, default: 'API key' })),
  scope: Type.Optional(KEY_SCOPE),
  memoryId: Type.Optional(Type.String({ minLength: 1, description: 'Makes a memory-scoped key for this memory.' })),
  expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
})

const ORGANIZATION_FIELDS = {
  id: Type.String({ description: 'Begins with `org_`.' }),
  name: Type.String({ description: 'What people call it.' }),
  plan: PLAN_ID,
  createdAt: Timestamp,
}

/** An organization: a tenant of the installation. */
export const OrganizationSchema = Type.Object(ORGANIZATION_FIELDS, { $id: 'Organization' })

/** An organization as it is shown once, when it is made. */
export const NewOrganizationSchema = Type.Object(
  {
    ...ORGANIZATION_FIELDS,
    keyId: Type.String({ description: 'The identifier of its first key.' }),
    key: shownOnce('Its first key, which may do everything in this organization.'),
  },
  { $id: 'NewOrganization' },
)

/** The body of POST /v1/organizations. */
export const CreateOrganizationBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: NAME_CHARACTERS.max, description: 'What people call it.' }),
  plan: Type.Optional(
    OneOf(
      ['free', 'starter', 'unlimited'],
      'Its limits of storage, memories and queries; that of the installation when absent.',
    ),
  ),
})
