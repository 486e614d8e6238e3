/**
 * Loaded into the service (`--import=…/slow-down.ts?path=/find&ms=50`): keeps the main thread busy
 * at the start of each request whose path ends so, for so much processor time. A plant, to show
 * that the guard of speed notices.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

const { searchParams } = new URL(import.meta.url)
const path = searchParams.get('path') ?? '/'
const busyMs = Number(searchParams.get('ms'))

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  if (!request.url?.endsWith(path)) return
  const before = process.threadCpuUsage()
  for (let spentMs = 0; spentMs < busyMs; ) {
    const { user, system } = process.threadCpuUsage(before)
    spentMs = (user + system) / 1000
  }
})
