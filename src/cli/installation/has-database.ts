import { statSync } from 'node:fs'
import { dataFolder } from '../../files/data-folder.ts'

/**
 * True if a service has created its database in the data folder. Throws with instructions if the
 * folder is not readable.
 */
export function hasDatabase(dataDir: string): boolean {
  try {
    return statSync(dataFolder(dataDir).database, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') return false
    throw new Error(`${mayNotRead(dataDir)} If the data is elsewhere, set RECOLLECT_DATA_DIR.`, { cause })
  }
}

/** Error message for a user who does not own the data folder. */
export function mayNotRead(dataDir: string): string {
  return `This user may not read and write ${dataDir}. Run this as the user who runs Recollect there.`
}
