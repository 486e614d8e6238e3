import { Type } from 'typebox'
import { WelcomeSchema } from '../../../api/health.ts'
import { ok } from '../../answers/answers.ts'
import { definePublicRoute, type Route } from '../../route.ts'
import { consolePage } from './console.ts'

/** Contract, "Around it": what the service says of itself. */
export const SERVICE_ROUTES: readonly Route[] = [
  definePublicRoute({
    method: 'GET',
    url: '/',
    operationId: 'getService',
    summary: 'What this is and where to go on',
    tag: 'Service',
    answers: {
      200: {
        description: 'Name, version and links; the console for who accepts HTML.',
        schema: WelcomeSchema,
        page: true,
      },
    },
    errors: [],
    handle: async ({ about, console, headers }) => {
      if (headers.accept?.includes('text/html')) return consolePage(console)
      return ok({
        service: 'Recollect',
        version: about.version,
        links: { openapi: '/openapi.json', docs: '/docs', health: '/health', ready: '/health/ready' },
      })
    },
  }),
  definePublicRoute({
    method: 'GET',
    url: '/openapi.json',
    operationId: 'getOpenapi',
    summary: 'This document',
    tag: 'Service',
    answers: { 200: { description: 'The OpenAPI 3.1 document.', schema: Type.Object({}) } },
    errors: [],
    handle: async ({ about }) => ok(about.documentText),
  }),
]
