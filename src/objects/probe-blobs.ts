import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ApiError } from '../errors.ts'
import type { Blobs } from './blobs.ts'

/** Timeout of a probe: `/health/ready` must answer before load balancers give up. */
const PROBE_TIMEOUT_MS = 3000

/**
 * Writes, reads, lists and deletes an object. Rejects with the store's error, or with
 * `service_unavailable` if a step fails silently or hangs.
 */
export async function probeBlobs(
  blobs: Pick<Blobs, 'put' | 'get' | 'list' | 'purge'>,
  timeoutMs: number = PROBE_TIMEOUT_MS,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    await Promise.race([exerciseStore(blobs), timeout])
  } finally {
    clearTimeout(timer)
  }
}

async function exerciseStore(blobs: Pick<Blobs, 'put' | 'get' | 'list' | 'purge'>): Promise<void> {
  const key = `probe/${randomUUID()}`
  const content = Buffer.from(key)
  await blobs.put(key, content)
  try {
    const found = await blobs.get(key)
    if (found === null || !(await buffer(found)).equals(content))
      throw unavailable('a read did not return the written data')
    if (!(await blobs.list('probe/')).includes(key)) throw unavailable('a written object was not listed')
  } finally {
    await blobs.purge(key)
  }
}

function unavailable(reason: string): ApiError {
  return new ApiError('service_unavailable', { message: `The object store is unavailable: ${reason}.` })
}
