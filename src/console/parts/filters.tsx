import { useState } from 'preact/hooks'
import type { MemoryDocument } from '../../client/resources.ts'
import { useLoad } from '../hooks.ts'
import { client } from '../session.ts'
import type { FilterFields } from '../to-filter.ts'

/** Number of documents to choose from; others can be found by search. */
const MAX_DOCUMENTS = 100

/**
 * Filters for tags, a document and metadata. Calls `onChange` on every input. Initially open if a
 * filter is set.
 */
export function Filters({
  memoryId,
  fields,
  onChange,
}: {
  memoryId: string
  fields: FilterFields
  onChange: (fields: FilterFields) => void
}) {
  const [isOpen] = useState(Object.values(fields).some(Boolean))
  const documents = useLoad(
    (signal) => client.value.documents.listPage(memoryId, { limit: MAX_DOCUMENTS }, { signal }),
    [memoryId],
  )
  const listed = documents.value?.documents
  const isUnlisted = fields.documentId !== '' && !listed?.some(({ id }) => id === fields.documentId)
  const change = (facts: Partial<FilterFields>) => onChange({ ...fields, ...facts })
  return (
    <details open={isOpen}>
      <summary>Filters</summary>
      <div class="asking">
        <label class="wide">
          Tags <span class="quiet">(comma-separated)</span>
          <input
            dir="auto"
            value={fields.tags}
            autocomplete="off"
            onInput={(event) => change({ tags: event.currentTarget.value })}
          />
        </label>
        <label class="wide">
          Document {documents.value?.hasMore && <span class="quiet">(recent documents)</span>}
          <select value={fields.documentId} onChange={(event) => change({ documentId: event.currentTarget.value })}>
            <option value="">All documents</option>
            {isUnlisted && <option value={fields.documentId}>{fields.documentId}</option>}
            <DocumentOptions documents={listed} />
          </select>
        </label>
        <label class="wide">
          Metadata <span class="quiet">(name = value, comma-separated)</span>
          <input
            dir="auto"
            value={fields.metadata}
            autocomplete="off"
            onInput={(event) => change({ metadata: event.currentTarget.value })}
          />
        </label>
      </div>
    </details>
  )
}

/** Options for documents, by title. */
export function DocumentOptions({ documents }: { documents: readonly MemoryDocument[] | undefined }) {
  return documents?.map(({ id, title }) => (
    <option key={id} value={id} dir="auto">
      {title}
    </option>
  ))
}

/** Search modes with their labels. */
export const MODES = {
  auto: 'Automatic',
  hybrid: 'Hybrid',
  semantic: 'Semantic',
  lexical: 'Keyword',
} as const

export type Mode = keyof typeof MODES
