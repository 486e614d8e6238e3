import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROJECT_EXAMPLE, ProjectSchema } from '../api/memory.ts'
import { accepted, noContent, ok } from './answers/answers.ts'
import { defineRoute } from './route.ts'

const PROJECT = {
  method: 'GET',
  url: '/v1/x',
  operationId: 'x',
  summary: 'x',
  description: 'x',
  tag: 'x',
  access: 'organization',
  answers: { 200: { description: 'A project.', schema: ProjectSchema } },
  errors: [],
} as const

/** Each line with an expected error must not compile; otherwise the type check fails. */
test('a response that does not match its schema does not compile', () => {
  const routes = [
    defineRoute({ ...PROJECT, handle: async (_) => ok(PROJECT_EXAMPLE) }),
    // @ts-expect-error: the schema has no field of this name
    defineRoute({ ...PROJECT, handle: async (_) => ok({ ...PROJECT_EXAMPLE, colour: 'red' }) }),
    // @ts-expect-error: the schema has a number here
    defineRoute({ ...PROJECT, handle: async (_) => ok({ ...PROJECT_EXAMPLE, memoryCount: 'one' }) }),
    // @ts-expect-error: the schema requires more fields
    defineRoute({ ...PROJECT, handle: async (_) => ok({ id: 'prj_1', name: 'Help desk' }) }),
    // @ts-expect-error: the route names no answer with this status
    defineRoute({ ...PROJECT, handle: async (_) => accepted('/v1/x', PROJECT_EXAMPLE) }),
    // @ts-expect-error: the answer has a body
    defineRoute({ ...PROJECT, handle: async (_) => noContent() }),
    // @ts-expect-error: the answer has none
    defineRoute({ ...PROJECT, answers: { 204: { description: 'Gone.' } }, handle: async (_) => ok(PROJECT_EXAMPLE) }),
    defineRoute({
      ...PROJECT,
      // @ts-expect-error: the stored response must be one of the route
      handle: async ({ storeResponseAs }) => ok(storeResponseAs(() => noContent()) && PROJECT_EXAMPLE),
    }),
  ]
  assert.equal(routes.length, 8)
})
