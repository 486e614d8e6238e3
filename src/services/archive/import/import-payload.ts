import type { PlanId } from '../../../limits.ts'
import { documentObject } from '../../document-folder.ts'

/** What an import job has to know; stored as JSON. The job's memory is the one under which the archive is staged, until the job is completed. */
export type ImportPayload = {
  /** That of the organization when the job was made, for processes of earlier versions; the import is held to the one of today. */
  planId: PlanId
  name: string | null
  projectId: string | null
  /** Names the staged archive. */
  documentId: string
  bytes: number
}

/** Where the archive of a job is: as an upload is that waits for its job. */
export function stagedKey(memoryId: string, { documentId }: Pick<ImportPayload, 'documentId'>): string {
  return documentObject(memoryId, documentId, 'upload')
}
