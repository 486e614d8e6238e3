import { ApiError } from '../errors.ts'

/** A 422 for a container that cannot be read: `message` is a whole sentence that says why. */
export function unreadable(message: string, cause?: unknown): ApiError {
  return new ApiError('unprocessable_document', { message, cause })
}

/** A 422 for a file that is locked by a password. */
export function passwordProtected(): ApiError {
  return new ApiError('unprocessable_document', {
    message: 'The file is password protected (encrypted).',
    remedy: 'Save it without a password and send it again.',
  })
}

/** A 422 for a file whose content would take too much room. */
export function tooLargeUnpacked(what: string): ApiError {
  return unreadable(`${TOO_LARGE}: ${what}.`)
}

/** True for what {@link tooLargeUnpacked} made: nothing more of the file should be read. */
export function isTooLargeUnpacked(error: unknown): boolean {
  return error instanceof ApiError && error.message.startsWith(TOO_LARGE)
}

const TOO_LARGE = 'The file is too large when unpacked'
