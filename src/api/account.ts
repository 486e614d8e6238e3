import { type Static, Type } from 'typebox'
import { KEY_SCOPES } from './key.ts'
import { EARLIER, IDS } from './story.ts'
import { Count, Nullable, OneOf, Text, Timestamp } from './values.ts'

/** The plans that an organization may have. */
export const PLAN_IDS = ['free', 'starter', 'unlimited'] as const

const PlanSchema = Type.Object(
  {
    id: OneOf(PLAN_IDS, 'The identifier of the plan.'),
    name: Text('The name of the plan, for people.'),
    limits: Type.Object(
      {
        storageBytes: Nullable(
          Type.Integer({ minimum: 0 }),
          'The most bytes of stored originals and extracted texts together; null for no limit.',
        ),
        memories: Nullable(Type.Integer({ minimum: 0 }), 'The most memories; null for no limit.'),
        queriesPerMonth: Nullable(
          Type.Integer({ minimum: 0 }),
          'The most queries of a calendar month; null for no limit. A find, a search and a question count one each.',
        ),
        maxFileBytes: Count('The most bytes of a file that is added.'),
        maxImageBytes: Count('The most bytes of a picture whose text is read.'),
        requestTimeoutSeconds: Count('The seconds after which a request that is not answered fails.'),
        requestBodyBytes: Count('The most bytes of the body of a request.'),
      },
      { description: 'What the plan allows.' },
    ),
  },
  { description: 'The plan of the organization.' },
)

/** The answer of GET /v1/account. */
export const AccountSchema = Type.Object(
  {
    organization: Type.Object(
      {
        id: Text('The identifier of the organization. It begins with org_.'),
        name: Text('What people call the organization.'),
        createdAt: Timestamp('When the organization was made.'),
      },
      { description: 'The organization that the key belongs to.' },
    ),
    plan: PlanSchema,
    usage: Type.Object(
      {
        storageBytes: Count('The bytes of stored originals and of extracted texts, as UTF-8, together.'),
        memories: Count('The memories that exist.'),
        documents: Count('The documents of all memories, without corrections.'),
        queries: Count('The queries of this calendar month: finds, searches and questions.'),
        period: Type.Object(
          {
            start: Timestamp('The first moment of the month.'),
            end: Timestamp('The first moment of the next month, when queries are counted from 0 again.'),
          },
          { description: 'The calendar month, in UTC, that queries are counted in.' },
        ),
      },
      { description: 'What the organization uses now.' },
    ),
    apiKey: Nullable(
      Type.Object({
        id: Text('The identifier of the key. It begins with key_.'),
        name: Text('What people call the key.'),
        scope: OneOf(KEY_SCOPES, 'What the key may do: all of its organization, or one memory.'),
        memoryId: Nullable(Type.String(), 'The one memory of a memory-scoped key; null for an organization key.'),
      }),
      'The key of this request; null where keys are switched off.',
    ),
  },
  { $id: 'Account', description: 'An organization, its plan, and what it has used.' },
)

/** An organization, its plan, and what it has used. */
export type AccountResource = Static<typeof AccountSchema>

/** An account of the story. */
export const ACCOUNT_EXAMPLE: AccountResource = {
  organization: { id: IDS.organization, name: 'Default', createdAt: EARLIER },
  plan: {
    id: 'starter',
    name: 'Starter',
    limits: {
      storageBytes: 26_843_545_600,
      memories: 5,
      queriesPerMonth: 250_000,
      maxFileBytes: 104_857_600,
      maxImageBytes: 20_971_520,
      requestTimeoutSeconds: 600,
      requestBodyBytes: 157_286_400,
    },
  },
  usage: {
    storageBytes: 1_843_200,
    memories: 2,
    documents: 14,
    queries: 120,
    period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  },
  apiKey: { id: IDS.key, name: 'First key', scope: 'organization', memoryId: null },
}
