/** Whether the service can do its work, and what it says of itself. */
import { type Static, Type } from 'typebox'
import { EARLIER } from './story.ts'
import { OneOf, Text, Timestamp } from './values.ts'

const VERSION = Text('The version of the service.')
const NOW = Timestamp("The service's time.")

/** The answer of GET /health. */
export const HealthSchema = Type.Object(
  { status: OneOf(['healthy'], 'The process answers.'), version: VERSION, timestamp: NOW },
  { $id: 'Health', description: 'That the process answers.' },
)

const CheckSchema = Type.Object({
  status: OneOf(['up', 'down'], 'Whether what was tried works.'),
  latencyMs: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'The time that the check took, in milliseconds. It is present where it is up.',
    }),
  ),
  error: Type.Optional(Text('What went wrong. It is present where it is down.')),
  optional: Type.Optional(
    Type.Boolean({ description: 'True where the service is ready without it. It is absent otherwise.' }),
  ),
})

/** What a check found. */
export type HealthCheck = Static<typeof CheckSchema>

/** The answer of GET /health/ready. */
export const ReadinessSchema = Type.Object(
  {
    status: OneOf(['ready', 'degraded'], 'Whether the service can do its work.'),
    version: VERSION,
    timestamp: NOW,
    checks: Type.Record(Type.String(), CheckSchema, {
      description: 'What was tried, by name: database, objectStore, and others that are optional.',
    }),
  },
  { $id: 'Readiness', description: 'Whether database and object store work.' },
)

/** Whether database and object store work. */
export type ReadinessResource = Static<typeof ReadinessSchema>

/** The answer of GET /. */
export const WelcomeSchema = Type.Object({
  service: Text('The name of the service.'),
  version: VERSION,
  links: Type.Record(Type.String(), Type.String(), { description: 'Where to go on, by name.' }),
})

const EXAMPLE_VERSION = '0.1.0'

/** The answers of a service that works. */
const HEALTH_EXAMPLE: Static<typeof HealthSchema> = {
  status: 'healthy',
  version: EXAMPLE_VERSION,
  timestamp: EARLIER,
}
const READINESS_EXAMPLE: ReadinessResource = {
  status: 'ready',
  version: EXAMPLE_VERSION,
  timestamp: EARLIER,
  checks: { database: { status: 'up', latencyMs: 1 }, objectStore: { status: 'up', latencyMs: 1 } },
}
const WELCOME_EXAMPLE: Static<typeof WelcomeSchema> = {
  service: 'Recollect',
  version: EXAMPLE_VERSION,
  links: { openapi: '/openapi.json', docs: '/docs', health: '/health', ready: '/health/ready' },
}

/** The answer of a service whose object store does not answer. */
const DEGRADED_EXAMPLE: ReadinessResource = {
  ...READINESS_EXAMPLE,
  status: 'degraded',
  checks: { ...READINESS_EXAMPLE.checks, objectStore: { status: 'down', error: 'timeout' } },
}

/** The examples of a service that works, and of one that does not. */
export const HEALTH_EXAMPLES = {
  health: HEALTH_EXAMPLE,
  ready: READINESS_EXAMPLE,
  degraded: DEGRADED_EXAMPLE,
  welcome: WELCOME_EXAMPLE,
}
