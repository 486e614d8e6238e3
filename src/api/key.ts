import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS } from '../limits.ts'
import { EARLIER, IDS } from './story.ts'
import { Nullable, NullableTimestamp, OneOf, ShownOnce, Text, Timestamp } from './values.ts'

/** What a key may do: all of its organization, or all of one memory but to delete it. */
export const KEY_SCOPES = ['organization', 'memory'] as const

const KEY_FIELDS = {
  id: Text('The identifier of the key. It begins with key_.'),
  name: Text('What people call the key.'),
  keyPreview: Text('The first 8 and the last 4 characters of the key.'),
  scope: OneOf(KEY_SCOPES, 'What the key may do: all of its organization, or one memory.'),
  memoryId: Nullable(Type.String(), 'The one memory of a memory-scoped key; null for an organization key.'),
  createdAt: Timestamp('When the key was made.'),
  lastUsedAt: NullableTimestamp('When the key was last used, to about a minute; null where it never was.'),
  expiresAt: NullableTimestamp('When the key stops working; null where it never does.'),
}

/** A key without its secret. */
export const KeySchema = Type.Object(KEY_FIELDS, { $id: 'Key', description: 'A key, without the secret itself.' })

/** A key without what it opens. */
export type KeyResource = Static<typeof KeySchema>

/** A key as it is shown once, when it is made. */
export const NewKeySchema = Type.Object(
  { ...KEY_FIELDS, key: ShownOnce('The key itself, as it is sent in a request.') },
  { $id: 'NewKey', description: 'A key that was just made, with its secret.' },
)

/** A key as it is shown once, when it is made. */
export type NewKeyResource = Static<typeof NewKeySchema>

/** The body of POST /v1/keys. */
export const CreateKeyBody = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: NAME_CHARACTERS.max,
      default: 'API key',
      description: 'What people call the key.',
    }),
  ),
  scope: Type.Optional(
    OneOf(KEY_SCOPES, 'What the key may do; memory where memoryId is given, organization otherwise.'),
  ),
  memoryId: Type.Optional(Type.String({ minLength: 1, description: 'Makes a memory-scoped key for this memory.' })),
  expiresAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the key stops working; never where it is left out.' }),
  ),
})

/** A key for the memory alone. */
export const KEY_EXAMPLE: KeyResource = {
  id: IDS.key,
  name: 'helpdesk',
  keyPreview: 'rcl_Ys7J…NZTl',
  scope: 'memory',
  memoryId: IDS.memory,
  createdAt: EARLIER,
  lastUsedAt: null,
  expiresAt: '2027-11-21T00:00:00.000Z',
}
