import { isOutOfRoom } from '../../errors.ts'
import type { Blobs } from '../../objects/blobs.ts'

/** Where room is held back for what takes something away. */
export type Reserve = Pick<Blobs, 'releaseBallast'>

/**
 * Does work that takes something away; on a full disk once more, with the room that is held back
 * for it.
 */
export async function withBallastReleased<Value>(blobs: Reserve, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!isOutOfRoom(error)) throw error
    await blobs.releaseBallast()
    // Also where none was held: another deletion may have given it up while this one failed.
    return work()
  }
}
