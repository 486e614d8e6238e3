import { ApiError } from '../../errors.ts'

/** The error for a picture that cannot be read: `unreadableImage('is cut off')` says "The image is cut off." */
export function unreadableImage(what: string, cause?: unknown): ApiError {
  return new ApiError('image_unreadable', { message: `The image ${what}.`, ...(cause === undefined ? {} : { cause }) })
}
