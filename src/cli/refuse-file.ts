import { UsageError } from './exit-statuses.ts'

/** What to do when a file that was named on the command line cannot be read: throws a {@link UsageError} that says so in plain words. */
export function refuseFile(path: string): (error: NodeJS.ErrnoException) => never {
  return ({ code = '', message }) => {
    throw new UsageError(REASONS[code]?.(path) ?? `${path} cannot be read: ${message}.`)
  }
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no file ${path}.`,
  ENOTDIR: (path) => `There is no file ${path}.`,
  EISDIR: (path) => `${path} is a folder; name a file.`,
  EACCES: (path) => `${path} may not be read by this user.`,
}
