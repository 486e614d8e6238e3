import type { Metadata } from '../../api/fields.ts'

/** What is searched for, with every default filled in. */
export type FindRequest = {
  query: string
  limit: number
  mode: 'hybrid' | 'semantic' | 'lexical' | 'auto'
  highlight: boolean
  /** `documentIds` is `null` where every document may be found; an empty one lets none be. */
  filter: { tags: readonly string[]; documentIds: readonly string[] | null; metadata: Metadata }
  /** True: documents alone. */
  withoutCorrections?: boolean
  /** True: says why each hit has its score. */
  explain?: boolean
  /** A document of which it is said where it stands, or why it does not. */
  explainDocumentId?: string | null
  /** Fires when nobody waits for the answer any more: the search ends at its next step, with the signal's reason. */
  signal?: AbortSignal | undefined
}
