import { useState } from 'preact/hooks'
import { client } from '../session.ts'
import { type Filter, toFilter } from '../to-filter.ts'
import { useLoad } from '../use-load.ts'
import { DocumentOptions } from './document-options.tsx'

/** The newest; who wants another one searches its words. */
const MOST_DOCUMENTS = 100

/** Narrows a search to tags, a document, a value of the metadata. Calls `onChange` at every key. */
export function Filters({ memoryId, onChange }: { memoryId: string; onChange: (filter: Filter) => void }) {
  const [fields, setFields] = useState({ tags: '', documentId: '', metadata: '' })
  const documents = useLoad(
    (signal) => client.value.documents.listPage(memoryId, { limit: MOST_DOCUMENTS }, { signal }),
    [memoryId],
  )
  function change(facts: Partial<typeof fields>) {
    const changed = { ...fields, ...facts }
    setFields(changed)
    onChange(toFilter(changed))
  }
  return (
    <details>
      <summary>Filters</summary>
      <div class="asking">
        <label class="wide">
          Tags <span class="quiet">(separated by commas)</span>
          <input
            dir="auto"
            value={fields.tags}
            autocomplete="off"
            onInput={(event) => change({ tags: event.currentTarget.value })}
          />
        </label>
        <label class="wide">
          Document
          <select value={fields.documentId} onChange={(event) => change({ documentId: event.currentTarget.value })}>
            <option value="">Every document</option>
            <DocumentOptions documents={documents.value?.documents} />
          </select>
        </label>
        <label class="wide">
          Metadata <span class="quiet">(name = value, separated by commas)</span>
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
