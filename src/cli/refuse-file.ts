import { UsageError } from './exit-statuses.ts'

/** What to do when a file that was named on the command line cannot be opened: throws a {@link UsageError} that says so in plain words. */
export function refuseFile(path: string): (error: NodeJS.ErrnoException) => never {
  return ({ code, message }) => {
    throw new UsageError(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${message}.`)
  }
}
