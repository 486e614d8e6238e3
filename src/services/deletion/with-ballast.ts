import { isOutOfRoom } from '../../errors.ts'
import type { Blobs } from '../../objects/blobs.ts'

/** Space reserved for deletions. */
export type Ballast = Pick<Blobs, 'releaseBallast'>

/** Runs work that deletes data; on a full disk, releases the reserved space and tries once more. */
export async function withBallastReleased<Value>(blobs: Ballast, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!isOutOfRoom(error)) throw error
    await blobs.releaseBallast()
    // Retries even without a reserve: a concurrent deletion may have released the space.
    return work()
  }
}
