import { type Answer, type CallOptions, callOperation } from './call-operation.ts'
import { makeUpload, type Upload } from './make-upload.ts'
import type { ImportOptions } from './resources.ts'
import type { Transport } from './send-request.ts'

/** What the new memory is called, where the archive's name is not to be its, and the project it goes to. */
export type ArchiveOptions = ImportOptions & { name?: string; projectId?: string }

/** Sends an archive to be imported; rejects as `sendRequest` does. */
export async function sendArchive(
  transport: Transport,
  archive: Upload,
  { signal, async, ...named }: ArchiveOptions & CallOptions,
): Promise<Answer<'importMemory'>> {
  const options = async === undefined ? {} : { options: JSON.stringify({ async }) }
  const body = await makeUpload(archive, { ...named, ...options })
  return callOperation(transport, 'importMemory', {}, { ...body, signal })
}
