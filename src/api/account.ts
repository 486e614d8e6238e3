import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS, USAGE } from '../limits.ts'
import { EARLIER, IDS } from './example-data.ts'
import { OwnKeySchema } from './key.ts'
import { Count, List, Nullable, OneOf, OPTIONAL_WARNINGS, ShownOnce, Text, Timestamp } from './values.ts'

/** Plans that an organization can have. */
const PLAN_IDS = ['free', 'starter', 'unlimited'] as const

const PlanSchema = Type.Object(
  {
    id: OneOf(PLAN_IDS, 'Identifier of the plan.'),
    name: Text('Display name of the plan.'),
    limits: Type.Object(
      {
        storageBytes: Nullable(
          Type.Integer({ minimum: 0 }),
          'Maximum bytes of stored originals plus extracted text. Null if unlimited.',
        ),
        memories: Nullable(Type.Integer({ minimum: 0 }), 'Maximum number of memories. Null if unlimited.'),
        queriesPerMonth: Nullable(
          Type.Integer({ minimum: 0 }),
          'Maximum number of queries per calendar month. Null if unlimited. Each find, search and ask ' +
            'request counts as one query.',
        ),
        maxFileBytes: Count('Maximum size of an added file, in bytes.'),
        maxImageBytes: Count('Maximum size of an image, in bytes.'),
        requestTimeoutSeconds: Count('Request timeout, in seconds.'),
        requestBodyBytes: Count('Maximum size of a request body, in bytes.'),
      },
      { description: 'Limits of the plan.' },
    ),
  },
  { description: 'Plan of the organization.' },
)

/** Response of GET /v1/account. */
export const AccountSchema = Type.Object(
  {
    organization: Type.Object(
      {
        id: Text('Unique identifier of the organization. Starts with `org_`.'),
        name: Text('Display name of the organization.'),
        createdAt: Timestamp('Time at which the organization was created.'),
      },
      { description: 'Organization that owns the API key.' },
    ),
    plan: PlanSchema,
    usage: Type.Object(
      {
        storageBytes: Count('Bytes of stored originals plus extracted text (UTF-8).'),
        memories: Count('Number of memories.'),
        documents: Count('Number of documents in all memories, excluding corrections.'),
        queries: Count('Number of queries in the current calendar month: find, search and ask requests.'),
        period: Type.Object(
          {
            start: Timestamp('Start of the month.'),
            end: Timestamp('Start of the next month, when the query count resets to 0.'),
          },
          { description: 'Calendar month (UTC) over which queries are counted.' },
        ),
      },
      { description: 'Current usage of the organization.' },
    ),
    apiKey: Nullable(
      OwnKeySchema,
      'API key of the request, or the person who signed in. Null if authentication is disabled.',
    ),
  },
  { $id: 'Account', description: 'An organization with its plan and usage.' },
)

/** An organization with its plan and usage. */
export type AccountResource = Static<typeof AccountSchema>

/** Example of an account. */
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
  apiKey: { id: IDS.key, name: 'First key', scope: 'organization', role: 'admin', memoryId: null, memoryIds: [] },
}

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

const GROUPINGS = ['memory', 'key'] as const

const NullableCount = (description: string) => Nullable(Type.Integer({ minimum: 0 }), description)
const latency = (share: string, kind: string) =>
  NullableCount(`${share} of the times of ${kind}, in milliseconds, estimated. Null without ${kind}.`)

const FIGURES = {
  finds: Count('Answered find and search requests.'),
  asks: Count('Answered questions, including those without an answer.'),
  asksDeclined: Count('Questions without an answer (`answered` is false).'),
  extractions: Count('Extractions.'),
  failedRequests: Count('Requests of any kind with a status of 500 or more.'),
  documentsAdded: Count('Documents added, excluding corrections and imports.'),
  pagesRecognized: Count('Pages and images of added documents whose text was recognized (OCR).'),
  pagesWithText: Count('Pages, sheets and slides of added documents that contain text.'),
  findP50Ms: latency('Median', 'finds'),
  findP95Ms: latency('95th percentile', 'finds'),
  askP50Ms: latency('Median', 'asks'),
  askP95Ms: latency('95th percentile', 'asks'),
  storageBytes: NullableCount('Bytes of stored originals plus extracted text at the end. Null if not measured.'),
  documents: NullableCount('Documents at the end, excluding corrections. Null if not measured.'),
  chunks: NullableCount('Chunks at the end. Null if not measured.'),
}

const UsageFiguresSchema = Type.Object(FIGURES, {
  $id: 'UsageFigures',
  description: 'Usage of some days together. Sizes are the last ones.',
})

const UsageDaySchema = Type.Object(
  { day: Text('Day in UTC, such as `2026-11-28`.'), ...FIGURES },
  { $id: 'UsageDay', description: 'Usage of a day.' },
)

const SERIES = {
  days: List(UsageDaySchema, 'Every day of the range, earliest first.'),
  totals: UsageFiguresSchema,
}

const UsageGroupSchema = Type.Object(
  {
    id: Nullable(
      Type.String(),
      'Memory or key. Null for requests of several memories or of none, for people and requests without a key, ' +
        'and for deleted memories and revoked keys.',
    ),
    ...SERIES,
  },
  { $id: 'UsageGroup', description: 'Usage of a memory or of a key.' },
)

/** Response of GET /v1/usage. */
export const UsageSchema = Type.Object(
  {
    from: Text('First day of the range.'),
    to: Text('Last day of the range.'),
    ...SERIES,
    groupBy: Nullable(OneOf(GROUPINGS), 'Grouping of the request. Null without one.'),
    groups: List(
      UsageGroupSchema,
      `The memories or keys with the most requests and added documents, at most ${USAGE.groups}. Empty if ungrouped.`,
    ),
    groupsLeftOut: Count('Number of further memories or keys. The totals include them.'),
    ...OPTIONAL_WARNINGS,
  },
  { $id: 'Usage', description: 'Usage by day.' },
)

/** Usage by day. */
export type UsageResource = Static<typeof UsageSchema>
/** Usage of some days together. */
export type UsageFiguresResource = Static<typeof UsageFiguresSchema>

const EXAMPLE_DAY = '2026-11-28'

function dayParameter(description: string) {
  return Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: [EXAMPLE_DAY], description }))
}

/** Query of GET /v1/usage. */
export const UsageQuery = Type.Object({
  from: dayParameter(`First day (UTC). Defaults to a range of ${USAGE.defaultDays} days; at most ${USAGE.days} days.`),
  to: dayParameter('Last day (UTC), included. Defaults to today.'),
  memoryId: Type.Optional(Type.String({ description: 'Return only the usage of this memory.' })),
  keyId: Type.Optional(Type.String({ description: 'Return only the usage with this key. Requires the role admin.' })),
  groupBy: Type.Optional(
    OneOf(GROUPINGS, 'Also return the usage of each memory, or of each key. Keys require the role admin.'),
  ),
})

const EXAMPLE_FIGURES: UsageFiguresResource = {
  finds: 120,
  asks: 45,
  asksDeclined: 3,
  extractions: 2,
  failedRequests: 0,
  documentsAdded: 14,
  pagesRecognized: 6,
  pagesWithText: 88,
  findP50Ms: 8,
  findP95Ms: 31,
  askP50Ms: 46,
  askP95Ms: 180,
  storageBytes: 1_843_200,
  documents: 14,
  chunks: 812,
}

const EXAMPLE_SERIES = { days: [{ day: EXAMPLE_DAY, ...EXAMPLE_FIGURES }], totals: EXAMPLE_FIGURES }

/** Example of the usage of a day, by memory. */
export const USAGE_EXAMPLE: UsageResource = {
  from: EXAMPLE_DAY,
  to: EXAMPLE_DAY,
  ...EXAMPLE_SERIES,
  groupBy: 'memory',
  groups: [{ id: IDS.memory, ...EXAMPLE_SERIES }],
  groupsLeftOut: 0,
}
