import { statSync } from 'node:fs'
import { dataFolder } from '../../files/data-folder.ts'

/** True where a service has made its database in the data folder. Throws, with what to do, where this user may not look into the folder. */
export function hasDatabase(dataDir: string): boolean {
  try {
    return statSync(dataFolder(dataDir).database, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') return false
    throw new Error(`${mayNotRead(dataDir)} If the data is elsewhere, set RECOLLECT_DATA_DIR.`, { cause })
  }
}

/** Says so, and what to do, to a user who is not the one whose folder it is. */
export function mayNotRead(dataDir: string): string {
  return `This user may not read and write ${dataDir}. Run this as the user who runs Recollect there.`
}
