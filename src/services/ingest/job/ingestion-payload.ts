import type { ArchiveMember } from '../../../api/job.ts'
import type { PlanId } from '../../../limits.ts'
import type { SniffedType } from '../../../parsers/parse-event.ts'
import type { RecognitionPlan } from '../../reading/recognition.ts'

/** Payload of an ingestion job, stored as JSON. */
export type IngestionPayload = {
  documentIds: string[]
  /**
   * Plan when the job was created, for processes of earlier versions; the job uses the current
   * plan.
   */
  planId: PlanId
  /** Key of the caller; `null` without one, absent in jobs of earlier versions. */
  keyId?: string | null
  deduplicate: boolean
  storeSource: boolean
  fallbackLanguage: string
  /** The uploaded file (`…/upload`); `null` if texts are stored, and until the download. */
  file: FileToIngest | null
  /** Members of a ZIP archive, each with its own upload; absent for other adds. */
  zip?: ZipToIngest
  /** How to read the file that the job downloads from the URL of its document; absent otherwise. */
  download?: Pick<FileToIngest, 'recognition'>
}

/** Facts of the members of an archive. */
export type ZipToIngest = {
  /** Types of the members with documents, by document id. */
  types: Record<string, SniffedType>
  recognition: RecognitionPlan
  /** All members, `pending` if they have documents. */
  members: ArchiveMember[]
}

/** Facts of the uploaded file. */
export type FileToIngest = {
  bytes: number
  filename: string | null
  declaredType: string | null
  type: SniffedType
  recognition: RecognitionPlan
}
