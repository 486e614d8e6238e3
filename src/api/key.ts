import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS } from '../limits.ts'
import { EARLIER, IDS } from './example-data.ts'
import { NON_BLANK } from './fields.ts'
import { Nullable, NullableTimestamp, OneOf, ShownOnce, Text, Timestamp, WarningsSchema } from './values.ts'

/** Scope of a key: the whole organization, or everything in its memories except deleting them. */
const KEY_SCOPES = ['organization', 'memory'] as const

/** Role of a key. Each role may do what the roles after it may do. */
export const KEY_ROLES = ['admin', 'writer', 'reader'] as const

/** Role of a key. */
export type KeyRole = (typeof KEY_ROLES)[number]

/** Maximum number of memories of a key, our choice. */
const MAX_KEY_MEMORIES = 50

/** Scope and role of a key. */
const KEY_RIGHTS = {
  scope: OneOf(KEY_SCOPES, 'Scope of the key: the whole organization, or some memories.'),
  role: OneOf(KEY_ROLES, 'Role of the key: admins manage keys, writers change data, readers read.'),
  memoryId: Nullable(Type.String(), 'Memory of a key of one memory. Null for other keys.'),
  memoryIds: Type.Array(Type.String(), {
    description: 'Memories of a memory-scoped key. Empty for an organization key.',
  }),
}

const KEY_FIELDS = {
  id: Text('Unique identifier of the key. Starts with `key_`.'),
  name: Text('Display name of the key.'),
  keyPreview: Text('First 8 and last 4 characters of the key.'),
  ...KEY_RIGHTS,
  createdAt: Timestamp('Time at which the key was created.'),
  lastUsedAt: NullableTimestamp('Time of the last use, accurate to about a minute. Null if never used.'),
  expiresAt: NullableTimestamp('Time at which the key expires. Null if it never expires.'),
}

/** A key without its secret. */
export const KeySchema = Type.Object(KEY_FIELDS, { $id: 'Key', description: 'An API key, without the secret.' })

/** A key without its secret. */
export type KeyResource = Static<typeof KeySchema>

/** The key of a request. */
export const OwnKeySchema = Type.Object(
  {
    id: Text('Unique identifier of the key. Starts with `key_`, for a person who signed in with `usr_`.'),
    name: Text('Display name of the key, or of the person.'),
    ...KEY_RIGHTS,
  },
  { $id: 'OwnKey', description: 'The API key of the request, or the person who signed in.' },
)

/** The key of a request. */
export type OwnKeyResource = Static<typeof OwnKeySchema>

/** A new key with its secret. */
export const NewKeySchema = Type.Object(
  { ...KEY_FIELDS, key: ShownOnce('The secret API key.') },
  { $id: 'NewKey', description: 'A new API key, with its secret.' },
)

/** A new key with its secret. */
export type NewKeyResource = Static<typeof NewKeySchema>

/** Request body of POST /v1/keys. A mistyped `memoryId` must never make an organization key. */
export const CreateKeyBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: NAME_CHARACTERS.max,
        default: 'API key',
        description: 'Display name of the key.',
      }),
    ),
    scope: Type.Optional(
      OneOf(KEY_SCOPES, 'Scope of the key. Defaults to `memory` if memories are given, otherwise to `organization`.'),
    ),
    role: Type.Optional(
      OneOf(
        KEY_ROLES,
        'Role of the key. Defaults to `admin` for an organization key, otherwise to `writer`. ' +
          'A memory-scoped key is never an `admin`.',
      ),
    ),
    memoryId: Type.Optional(Type.String({ minLength: 1, description: 'Memory that the key is limited to.' })),
    memoryIds: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        maxItems: MAX_KEY_MEMORIES,
        description: 'Memories that the key is limited to, instead of `memoryId`.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Time at which the key expires. Without it, the key never expires.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Request body of PATCH /v1/keys/{id}. */
export const RenameKeyBody = Type.Object({
  name: Type.String({ ...NON_BLANK, maxLength: NAME_CHARACTERS.max, description: 'New display name of the key.' }),
})

/** Response of PATCH /v1/keys/{id}. */
export const ChangedKeySchema = Type.Object(
  { ...KEY_FIELDS, warnings: WarningsSchema },
  { $id: 'ChangedKey', description: 'A key after a change, without the secret.' },
)

/** Example of the key of a request. */
export const OWN_KEY_EXAMPLE: OwnKeyResource = {
  id: IDS.key,
  name: 'helpdesk',
  scope: 'memory',
  role: 'reader',
  memoryId: IDS.memory,
  memoryIds: [IDS.memory],
}

/** Example of a memory-scoped key. */
export const KEY_EXAMPLE: KeyResource = {
  ...OWN_KEY_EXAMPLE,
  keyPreview: 'rcl_Ys7J…NZTl',
  createdAt: EARLIER,
  lastUsedAt: null,
  expiresAt: '2027-11-21T00:00:00.000Z',
}
