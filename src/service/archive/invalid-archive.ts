import { ApiError } from '../../errors.ts'

/** What is wrong with an archive, a sentence; nothing of its contents stands in it but names that were checked. */
export function invalidArchive(message: string, remedy?: string): ApiError {
  return new ApiError('invalid_archive', remedy === undefined ? { message } : { message, remedy })
}
