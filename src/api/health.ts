/** Health, readiness and service information. */
import { type Static, Type } from 'typebox'
import { EARLIER } from './example-data.ts'
import { OneOf, Text, Timestamp } from './values.ts'

const VERSION = Text('Version of the service.')
const NOW = Timestamp('Current time of the service.')

/** Response of GET /health. */
export const HealthSchema = Type.Object(
  { status: OneOf(['healthy'], 'Always `healthy`.'), version: VERSION, timestamp: NOW },
  { $id: 'Health', description: 'The service is running.' },
)

const CheckSchema = Type.Object({
  status: OneOf(['up', 'down'], 'Result of the check.'),
  latencyMs: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'Duration of the check, in milliseconds. Present if `status` is `up`.',
    }),
  ),
  error: Type.Optional(Text('Cause of the failure. Present if `status` is `down`.')),
  optional: Type.Optional(
    Type.Boolean({ description: 'True if the service is ready without this dependency. Absent otherwise.' }),
  ),
})

/** Result of a check. */
export type HealthCheck = Static<typeof CheckSchema>

/** Response of GET /health/ready. */
export const ReadinessSchema = Type.Object(
  {
    status: OneOf(['ready', 'degraded'], '`ready` if all required dependencies are available.'),
    version: VERSION,
    timestamp: NOW,
    checks: Type.Record(Type.String(), CheckSchema, {
      description: 'Checks by name: `database`, `objectStore`, and optional dependencies.',
    }),
  },
  { $id: 'Readiness', description: 'Readiness of the service and its dependencies.' },
)

/** Readiness of the service and its dependencies. */
export type ReadinessResource = Static<typeof ReadinessSchema>

/** Response of GET /. */
export const WelcomeSchema = Type.Object({
  service: Text('Name of the service.'),
  version: VERSION,
  links: Type.Record(Type.String(), Type.String(), { description: 'Links to other endpoints, by name.' }),
})

const EXAMPLE_VERSION = '0.1.0'

/** Example responses of a healthy service. */
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

/** Example of an unavailable object store. */
const DEGRADED_EXAMPLE: ReadinessResource = {
  ...READINESS_EXAMPLE,
  status: 'degraded',
  checks: { ...READINESS_EXAMPLE.checks, objectStore: { status: 'down', error: 'timeout' } },
}

/** Examples of a healthy and of a degraded service. */
export const HEALTH_EXAMPLES = {
  health: HEALTH_EXAMPLE,
  ready: READINESS_EXAMPLE,
  degraded: DEGRADED_EXAMPLE,
  welcome: WELCOME_EXAMPLE,
}
