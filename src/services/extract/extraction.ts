/** What extraction is asked and answers (contract, "extract"). */
import type { ExtractAnswer } from '../../api/extract.ts'
import type { Caller } from '../caller.ts'

/** `dataType` is the hint as it came; `null` for none. */
export type SchemaField = { key: string; label: string; dataType: string | null }

export type ExtractRequest = {
  /** Ids are unique among the sections, keys in their section. */
  sections: readonly { id: string; name: string; fields: readonly SchemaField[] }[]
  context: string | null
}

export type ExtractService = {
  /**
   * Fills a schema from a memory. A field whose retrieval fails is not found and warned about; only where all fail the call does. Rejects
   * with `memory_not_found`, and with `validation_failed` for ids or keys that are not unique.
   */
  extract(caller: Caller, memoryId: string, request: ExtractRequest, signal: AbortSignal): Promise<ExtractAnswer>
}
