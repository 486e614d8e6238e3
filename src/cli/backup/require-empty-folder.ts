import { access, constants, readdir } from 'node:fs/promises'
import { makeFolder } from '../../files/make-folder.ts'
import { UsageError } from '../printing/describe-failure.ts'

/** Makes the folder where it is missing. Rejects with {@link UsageError} where it holds anything, cannot be made, and may not be written by this user. */
export async function requireEmptyFolder(folder: string): Promise<void> {
  const entries = await open(folder).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new UsageError(`This user may not write ${folder}; name a folder elsewhere.`)
    throw new UsageError(`${folder} is no folder and cannot be made one (${code ?? message}); name another.`)
  })
  if (entries.length > 0) throw new UsageError(`${folder} is not empty; name a folder that is not there yet.`)
}

async function open(folder: string): Promise<string[]> {
  await makeFolder(folder)
  await access(folder, constants.W_OK)
  return readdir(folder)
}
