import type { PlanId } from '../../../limits.ts'
import type { SniffedType } from '../../../parsers/parse-event.ts'
import type { RecognitionPlan } from '../../reading/recognition.ts'

/** What an ingestion job has to know beside its documents' rows; stored as JSON. */
export type IngestionPayload = {
  documentIds: string[]
  /**
   * That of the organization when the job was made, for processes of earlier versions; the work of
   * a job takes the one of today.
   */
  planId: PlanId
  /** Of whoever added them; `null` where none was used, absent in jobs of earlier versions. */
  keyId?: string | null
  deduplicate: boolean
  storeSource: boolean
  fallbackLanguage: string
  /** The uploaded file (`…/upload`); `null` when the documents' texts are stored already. */
  file: FileToIngest | null
}

/** What a job has to know of its file. */
export type FileToIngest = {
  bytes: number
  filename: string | null
  declaredType: string | null
  type: SniffedType
  recognition: RecognitionPlan
}
