import { ApiError } from '../../../errors.ts'

/**
 * Thrown where others took room of the plan since the job looked how much there is, so that what it read is too much: nothing of it shows, and a job that
 * looks again keeps what fits.
 */
export class RoomTaken extends ApiError {
  constructor(refusal: ApiError) {
    super(refusal.code, { ...refusal.facts, cause: refusal })
  }
}
