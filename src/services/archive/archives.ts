import type { Readable } from 'node:stream'
import type { AcceptedDocuments } from '../../api/ingest.ts'
import type { ImportedMemory } from '../../api/memory.ts'
import type { Caller } from '../caller.ts'
import type { UploadedFile } from '../ingest/uploaded-file.ts'
import type { Work } from '../keep.ts'

/** What an import is told beside its archive; `name` `null`: that of the archive. */
export type ImportOptions = { name: string | null; projectId: string | null; async: boolean }

/** Memories as archives: out of one installation, into another. */
export type ArchiveService = {
  /** The memory as a .tar.gz that is made while it is read; what goes wrong by then breaks it off. */
  export(caller: Caller, memoryId: string): Promise<{ content: Readable; filename: string }>
  /** A new memory, at once or by a job; rejects with `invalid_archive` and as adding a memory and documents does. */
  import(
    caller: Caller,
    file: UploadedFile,
    options: ImportOptions,
    work: Work<ImportedMemory | AcceptedDocuments>,
  ): Promise<ImportedMemory | AcceptedDocuments>
}
