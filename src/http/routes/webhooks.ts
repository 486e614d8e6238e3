import { Type } from 'typebox'
import { pageOf, pageParameters } from '../../api/values.ts'
import type { NewWebhookResource } from '../../api/webhook.ts'
import {
  CreateWebhookBody,
  NewWebhookSchema,
  WEBHOOK_EVENTS,
  WebhookDeliverySchema,
  WebhookSchema,
} from '../../api/webhook.ts'
import { JSON_BODY_BYTES, PAGE_LIMIT } from '../../limits.ts'
import { created, noContent, ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter, readPageRequest } from './parameters.ts'

function toCreated(webhook: NewWebhookResource) {
  return { ...created<NewWebhookResource>(`/v1/webhooks/${webhook.id}`, webhook), shownOnce: 'secret' }
}

/** Contract, "Beyond the document", Webhooks. */
export const WEBHOOK_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Registers a URL that receives a message when a job ends. Messages are signed according to the ' +
      'Standard Webhooks specification. The secret is only returned in this response.',
    tag: 'Webhooks',
    access: 'organization',
    role: 'admin',
    body: CreateWebhookBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The webhook, with its secret.', schema: NewWebhookSchema } },
    errors: ['url_not_allowed', 'webhook_limit_reached'],
    handle: async ({ services, caller, body, storeResponseAs }) => {
      const input = { url: body.url, events: body.events ?? WEBHOOK_EVENTS }
      return toCreated(await services.webhooks.create(caller, input, storeResponseAs(toCreated)))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Lists the webhooks of the organization, without their secrets.',
    tag: 'Webhooks',
    access: 'organization',
    role: 'admin',
    query: Type.Object(pageParameters(PAGE_LIMIT.webhooks)),
    answers: { 200: { description: 'A page of webhooks, newest first.', schema: pageOf('webhooks', WebhookSchema) } },
    errors: ['invalid_cursor'],
    handle: async ({ services, caller, query, reserveMemory }) =>
      ok(await services.webhooks.list(caller, readPageRequest({ query, reserveMemory }, PAGE_LIMIT.webhooks))),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/webhooks/:id',
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'Returns a webhook with its consecutive failures and waiting messages.',
    tag: 'Webhooks',
    access: 'organization',
    role: 'admin',
    answers: { 200: { description: 'The webhook.', schema: WebhookSchema } },
    errors: ['webhook_not_found'],
    handle: async ({ services, caller, params }) =>
      ok(await services.webhooks.get(caller, pathParameter(params, 'id'))),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/webhooks/:id',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook and discards its waiting messages.',
    tag: 'Webhooks',
    access: 'organization',
    role: 'admin',
    answers: { 204: { description: 'The webhook was deleted.' } },
    errors: ['webhook_not_found'],
    handle: async ({ services, caller, params }) => {
      await services.webhooks.delete(caller, pathParameter(params, 'id'))
      return noContent()
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/webhooks/:id/test',
    operationId: 'testWebhook',
    summary: 'Send a test message',
    description:
      'Sends a test message to the webhook, without retries. A successful test enables a disabled webhook again.',
    tag: 'Webhooks',
    access: 'organization',
    role: 'admin',
    answers: {
      200: { description: 'The result of the attempt, whether or not it succeeded.', schema: WebhookDeliverySchema },
    },
    errors: ['webhook_not_found'],
    handle: async ({ services, caller, params, signal, storeResponseAs }) =>
      ok(
        await services.webhooks.test(caller, pathParameter(params, 'id'), {
          signal,
          storeResponse: storeResponseAs(ok),
        }),
      ),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/webhooks/:id/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List delivery attempts',
    description: "Lists the recorded delivery attempts of a webhook, with the receiver's response.",
    tag: 'Webhooks',
    access: 'organization',
    role: 'admin',
    query: Type.Object(pageParameters(PAGE_LIMIT.deliveries)),
    answers: {
      200: { description: 'A page of attempts, newest first.', schema: pageOf('deliveries', WebhookDeliverySchema) },
    },
    errors: ['webhook_not_found', 'invalid_cursor'],
    handle: async ({ services, caller, params, query, reserveMemory }) => {
      const page = readPageRequest({ query, reserveMemory }, PAGE_LIMIT.deliveries)
      return ok(await services.webhooks.listDeliveries(caller, pathParameter(params, 'id'), page))
    },
  }),
]
