import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'

/** Writes one line for every answered or abandoned request: what was asked and how it went, never a body, a query or a key. */
export function logAccess(app: FastifyInstance, log: Log): void {
  app.addHook('onRequest', async (request, reply) => {
    const startedMs = performance.now()
    reply.raw.once('close', () => {
      const finished = reply.raw.writableFinished
      const facts = {
        ...describe(request),
        status: reply.raw.statusCode,
        ms: Math.round(performance.now() - startedMs),
      }
      if (finished) log.info(facts, 'request')
      else log.info({ ...facts, aborted: true }, 'request ended by its sender')
    })
  })
}

function describe(request: FastifyRequest) {
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.config.route?.url ?? null,
    keyId: request.caller?.keyId ?? null,
    organizationId: request.caller?.organizationId ?? null,
  }
}
