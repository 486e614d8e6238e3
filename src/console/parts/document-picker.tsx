import { useEffect, useState } from 'preact/hooks'
import { pluralize } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { client } from '../session.ts'
import { SearchField } from './form.tsx'
import { Modal } from './modal.tsx'
import { Notice, Skeleton } from './notice.tsx'

/** A chosen document: its ID, and the title that it had when it was chosen. */
export type Chosen = { id: string; title: string }

const PAGE = 100

/** Pause after a keystroke before the titles are searched. */
const TYPING_MS = 200

type PickerProps = {
  title: string
  memoryId: string
  chosen: readonly Chosen[]
  max: number
  onChoose: (chosen: readonly Chosen[]) => void
  onClose: () => void
}

/** Dialog to choose documents by title. */
export function DocumentPicker({ title, memoryId, chosen, max, onChoose, onClose }: PickerProps) {
  const [marked, setMarked] = useState(chosen)
  const [words, setWords] = useState('')
  const found = useDocuments(memoryId, words)
  const documents = found.value?.documents ?? []
  const isMarked = (id: string) => marked.some((document) => document.id === id)
  const toggle = (document: Chosen) =>
    setMarked(isMarked(document.id) ? marked.filter(({ id }) => id !== document.id) : [...marked, document])
  const unmarked = documents.filter(({ id }) => !isMarked(id))
  return (
    <Modal title={title} onClose={onClose}>
      <SearchField label="Search titles" value={words} onInput={setWords} />
      <Notice error={found.error} onRetry={found.reload} />
      {found.value === null && found.error === null && <Skeleton rows={6} />}
      <ul class="picker" aria-label="Documents">
        {documents.map(({ id, title: name, filename }) => (
          <li key={id}>
            <label class="choice">
              <input
                type="checkbox"
                checked={isMarked(id)}
                disabled={!isMarked(id) && marked.length >= max}
                onChange={() => toggle({ id, title: name })}
              />
              <span class="one-line">
                <bdi>{name}</bdi> {filename !== null && filename !== name && <bdi class="faint">{filename}</bdi>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {found.value?.total === 0 && <p class="quiet">No document has this title.</p>}
      {found.value?.hasMore && (
        <p class="quiet">
          The first {PAGE} of {pluralize(found.value.total, 'document')}. Search for others.
        </p>
      )}
      <div class="row end">
        <span class="quiet" role="status">
          {marked.length === 0 ? 'None chosen' : `${marked.length} chosen`}
        </span>
        {marked.length > 0 && (
          <button type="button" class="quiet" onClick={() => setMarked([])}>
            Clear
          </button>
        )}
        {max > 1 && unmarked.length > 0 && (
          <button type="button" onClick={() => setMarked([...marked, ...unmarked].slice(0, max))}>
            Choose all {words === '' ? '' : 'found'}
          </button>
        )}
        <button
          type="button"
          class="primary"
          onClick={() => onChoose(marked.map(({ id, title: name }) => ({ id, title: name })))}
        >
          Done
        </button>
      </div>
    </Modal>
  )
}

/** The newest documents with these words in their title. */
function useDocuments(memoryId: string, words: string) {
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [words])
  return useLoad(
    (signal) =>
      client.value.documents.listPage(memoryId, { limit: PAGE, ...(asked === '' ? {} : { title: asked }) }, { signal }),
    [memoryId, asked],
  )
}
