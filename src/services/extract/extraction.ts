/** What extraction is asked and answers (contract, "extract"). */
import type { Value } from '../../extraction/values/value.ts'
import type { Caller } from '../caller.ts'
import type { Warning } from '../warning.ts'

/** `dataType` is the hint as it came; `null` for none. */
export type SchemaField = { key: string; label: string; dataType: string | null }

export type ExtractRequest = {
  /** Ids are unique among the sections, keys in their section. */
  sections: readonly { id: string; name: string; fields: readonly SchemaField[] }[]
  context: string | null
}

export type FieldSource = {
  documentId: string
  chunkId: string
  title: string
  page: number | null
  /** HTML-escaped. */
  snippet: string
  /** Of the value as it is written, into the extracted text. */
  startOffset: number
  endOffset: number
}

/** What is not found has `null` for value, `rawValue` and confidence 0, and no sources. */
export type ExtractedField = {
  key: string
  label: string
  data_type: string | null
  found: boolean
  value: Value | null
  rawValue: string | null
  confidence: number
  sources: FieldSource[]
}

export type ExtractAnswer = {
  memoryId: string
  /** By section and key; `null` for what is not found. */
  values: Record<string, Record<string, Value | null>>
  sections: { id: string; name: string; fields: ExtractedField[] }[]
  fieldsTotal: number
  fieldsFound: number
  /** `extractive` where rules read all the fields. */
  model: string
  warnings: Warning[]
}

export type ExtractService = {
  /**
   * Fills a schema from a memory. A field whose retrieval fails is not found and warned about; only where all fail the call does. Rejects
   * with `memory_not_found`, and with `validation_failed` for ids or keys that are not unique.
   */
  extract(caller: Caller, memoryId: string, request: ExtractRequest, signal: AbortSignal): Promise<ExtractAnswer>
}
