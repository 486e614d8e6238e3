import { relative, sep } from 'node:path'
import type { Config } from '../config.ts'
import { isDamagedFile, isPermissionDenied } from '../database/sqlite/data-lock.ts'
import { ApiError, isDamage } from '../errors.ts'

type Settings = Pick<Config, 'http' | 'dataDir' | 'database'>
type Cause = Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall' | 'path'> & { hostname?: string }

/** Error codes of a path that is not a folder, or does not lead to one. */
const NO_FOLDER: ReadonlySet<string> = new Set(['EEXIST', 'ENOTDIR', 'ENOENT', 'ENAMETOOLONG', 'ELOOP', 'EINVAL'])
const ANOTHER = 'set RECOLLECT_DATA_DIR to another folder'

/**
 * Explains why the service cannot start and what to do: the text after "Recollect cannot start: ".
 */
export function explainStart(error: unknown, settings: Settings): string {
  const cause = (error instanceof ApiError && error.cause instanceof Error ? error.cause : error) as Cause
  const { dataDir, database } = settings
  // With PostgreSQL, the cause is rarely in the data folder.
  const where = database === null ? ` (data folder: ${dataDir})` : ''
  if (cause.code === 'ENOSPC' || (error instanceof ApiError && error.code === 'insufficient_storage'))
    return `the disk is full; make room and start it again${where}.`
  return (
    explainAddress(cause, settings) ??
    explainFile(cause, settings) ??
    explainDatabase(cause, settings, isDamage(error)) ??
    `${cause.message}${where}`
  )
}

/** `null` for any address but the listening one, such as the database's. */
function explainAddress({ code, syscall, hostname }: Cause, { http: { host, port } }: Settings): string | null {
  if (syscall === 'getaddrinfo' && hostname === host)
    return `no address is known for ${host}; set RECOLLECT_HOST to one of this machine.`
  if (syscall !== 'listen') return null
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is taken; set RECOLLECT_PORT to another.`
  if (code === 'EADDRNOTAVAIL') return `this machine has no address ${host}; set RECOLLECT_HOST to one of this machine.`
  if (code === 'EACCES') return `this user may not listen on port ${port}; set RECOLLECT_PORT to 1024 or more.`
  return null
}

/**
 * `null` for any file outside the data folder, such as a model's: another data folder would not
 * help.
 */
function explainFile({ code = '', path }: Cause, { dataDir }: Settings): string | null {
  if (path === undefined || !(isWithin(path, dataDir) || isWithin(dataDir, path))) return null
  if (code === 'EROFS') return `the disk of ${path} is mounted to be read only; mount it to be written, or ${ANOTHER}.`
  if (code === 'EACCES' || code === 'EPERM')
    return `this user may not write ${path}; give it to the user who runs Recollect, or ${ANOTHER}.`
  if (code === 'EISDIR') return `${path} is a folder, and must be a file; restore a backup, or ${ANOTHER}.`
  if (NO_FOLDER.has(code)) return `${path} is not a folder and cannot be created (${code}); ${ANOTHER}.`
  return null
}

function explainDatabase(cause: Cause, { dataDir, database }: Settings, isKnown: boolean): string | null {
  const { message } = cause
  if (isKnown && database !== null) return `the database is damaged (${message}); restore it from a backup.`
  if (isKnown || isDamagedFile(cause))
    return `the database in ${dataDir} is damaged (${message}); restore a backup, or ${ANOTHER}.`
  if (isPermissionDenied(cause))
    return (
      `this user may not write the database in ${dataDir} (${message}); ` +
      `give the folder and all in it to the user who runs Recollect, or ${ANOTHER}.`
    )
  return null
}

/** True for the folder itself, too. */
function isWithin(path: string, folder: string): boolean {
  const [first] = relative(folder, path).split(sep)
  return first !== '..'
}
