import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'

type Settings = Pick<Config, 'http' | 'dataDir'>
type Cause = Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall' | 'path'> & { errcode?: number }

/** Primary result codes of SQLite for a file that is damaged or no database: CORRUPT, NOTADB (https://sqlite.org/rescode.html). */
const SQLITE_DAMAGED: ReadonlySet<number> = new Set([11, 26])
/** What a path says that cannot be a folder or lead to one. */
const NO_FOLDER: ReadonlySet<string> = new Set(['EEXIST', 'ENOTDIR', 'ENOENT', 'ENAMETOOLONG', 'ELOOP', 'EINVAL'])

/** Why the service cannot start, and what to do about it: what follows "Recollect cannot start: ". */
export function explainStart(error: unknown, settings: Settings): string {
  const cause = (error instanceof ApiError && error.cause instanceof Error ? error.cause : error) as Cause
  const { dataDir } = settings
  if (cause.code === 'ENOSPC' || (error instanceof ApiError && error.code === 'insufficient_storage'))
    return `the disk is full; make room and start it again (data folder: ${dataDir}).`
  return explainAddress(cause, settings) ?? explainFile(cause, settings) ?? `${cause.message} (data folder: ${dataDir})`
}

function explainAddress({ code, syscall }: Cause, { http: { host, port } }: Settings): string | null {
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is taken; set RECOLLECT_PORT to another.`
  if (syscall === 'getaddrinfo') return `no address is known for ${host}; set RECOLLECT_HOST to one of this machine.`
  if (code === 'EADDRNOTAVAIL') return `this machine has no address ${host}; set RECOLLECT_HOST to one of its own.`
  if (code === 'EACCES' && syscall === 'listen')
    return `this user may not listen on port ${port}; set RECOLLECT_PORT to 1024 or more.`
  return null
}

function explainFile({ code = '', path, message, errcode = 0 }: Cause, { dataDir }: Settings): string | null {
  const place = path ?? dataDir
  const another = 'set RECOLLECT_DATA_DIR to another folder'
  if (code === 'EROFS') return `the disk of ${place} is mounted to be read only; mount it to be written, or ${another}.`
  if (code === 'EACCES' || code === 'EPERM')
    return `this user may not write ${place}; give it to the user who runs Recollect, or ${another}.`
  if (code === 'EISDIR') return `${place} is a folder, and must be a file; restore a backup, or ${another}.`
  if (NO_FOLDER.has(code)) return `${place} is no folder and cannot be made one (${code}); ${another}.`
  if (SQLITE_DAMAGED.has(errcode & 0xff))
    return `the database in ${dataDir} is damaged (${message}); restore a backup, or ${another}.`
  return null
}
