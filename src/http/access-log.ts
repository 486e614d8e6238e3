import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '../observability/log.ts'

/** A request that has ended; `route` is the template of its path, `null` where no route took it. */
export type EndedRequest = {
  requestId: string
  method: string
  route: string | null
  status: number
  isAborted: boolean
  seconds: number
}

/**
 * Writes one line for every answered or abandoned request: what was asked and how it went, never a body, a query or a key. `ended` hears
 * of each as well.
 */
export function logAccess(app: FastifyInstance, log: Log, ended: (request: EndedRequest) => void): void {
  app.addHook('onRequest', async (request, reply) => {
    const startedMs = performance.now()
    reply.raw.once('close', () => {
      const finished = reply.raw.writableFinished
      const description = describe(request)
      const ms = performance.now() - startedMs
      const status = reply.raw.statusCode
      const facts = { ...description, status, ms: Math.round(ms) }
      ended({ ...description, status, isAborted: !finished, seconds: ms / 1000 })
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
