import { ApiError } from '../../errors.ts'

/** What whoever has the memory still can do about an archive of it that says of itself what is not so. */
export const MEND_FIRST =
  'Verify the memory where the archive was made, mend it with recollect doctor --storage --fix, and export it again.'

/** What is wrong with an archive, a sentence; nothing of its contents stands in it but names that were checked. */
export function invalidArchive(message: string, remedy?: string): ApiError {
  return new ApiError('invalid_archive', remedy === undefined ? { message } : { message, remedy })
}
