import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * Keeps readers from holding up a stop. When `late` fires, an answer of which no byte is taken for a quarter of `graceMs` loses its connection;
 * after `graceMs` every answer does that is still going out, however fast it is read.
 */
export function endUnread(app: FastifyInstance, late: AbortSignal, graceMs: number): void {
  const goingOut = new Set<ServerResponse>()
  const hurry = (response: ServerResponse) => response.setTimeout(graceMs / 4)
  app.addHook('onSend', async (_request, { raw }) => {
    goingOut.add(raw)
    raw.once('close', () => goingOut.delete(raw))
    if (late.aborted) hurry(raw)
  })
  late.addEventListener('abort', () => {
    for (const response of goingOut) hurry(response)
    const endAll = () => {
      for (const response of goingOut) response.destroy()
    }
    setTimeout(endAll, graceMs).unref()
  })
}
