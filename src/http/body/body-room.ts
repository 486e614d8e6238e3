import { ApiError } from '../../errors.ts'
import { BODY_ROOM } from '../../limits.ts'
import { LARGE_BODY_BYTES } from './read-bytes.ts'

/** Room in memory for the bodies of all requests that are under way. */
export type BodyRoom = {
  /** The share of one request. */
  enter(): BodyShare
}

/** What the body of one request takes of the room. */
export type BodyShare = {
  /** Throws `service_unavailable` where so many bytes more would not fit now; the first 3 MB of a request always do. */
  requireRoom(bytes: number): void
  /** Takes so many bytes more, or throws as {@link BodyShare.requireRoom} does. */
  take(bytes: number): void
  /** Gives all of it back. */
  leave(): void
}

/** The room for a process that may take so much memory, in bytes. */
export function bodyRoomBytes(memoryBytes: number): number {
  const { memoryShare, leastBytes, mostBytes } = BODY_ROOM
  return Math.min(mostBytes, Math.max(leastBytes, memoryBytes * memoryShare))
}

/** A room of so many bytes. Small requests count and are never refused, so that no large one keeps them out. */
export function createBodyRoom(maxBytes: number): BodyRoom {
  let taken = 0
  return {
    enter() {
      let own = 0
      const requireRoom = (bytes: number) => {
        if (own + bytes > LARGE_BODY_BYTES && taken + bytes > maxBytes) throw noRoom(maxBytes)
      }
      return {
        requireRoom,
        take(bytes) {
          requireRoom(bytes)
          own += bytes
          taken += bytes
        },
        leave() {
          taken -= own
          own = 0
        },
      }
    },
  }
}

function noRoom(maxBytes: number): ApiError {
  const megabytes = Math.floor(maxBytes / (1024 * 1024))
  return new ApiError('service_unavailable', {
    message: `The bodies of the requests under way are larger than ${megabytes} MB together.`,
    remedy: 'Try again after the seconds in Retry-After, send less in one request or fewer requests at a time.',
  })
}
