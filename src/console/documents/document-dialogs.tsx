import { useState } from 'preact/hooks'
import type { MemoryDocument } from '../../client/resources.ts'
import { pluralize } from '../format.ts'
import { Form, textOf } from '../parts/form.tsx'
import { Deletion, Modal } from '../parts/modal.tsx'
import { client } from '../session.ts'
import { showToast } from '../shell/toasts.tsx'

/** Identifiers that one request deletes. */
const MAX_DELETED = 1000

/** Requests of a change of many documents at a time. */
const AT_ONCE = 4

type Documents = readonly MemoryDocument[]

/** Dialog that is open, and the documents that it is about. */
export type DocumentDialog =
  | { is: 'text' }
  | { is: 'url' }
  | { is: 'edit'; document: MemoryDocument }
  | { is: 'tags'; documents: Documents }
  | { is: 'delete'; documents: Documents }

type DialogsProps = ChangeProps & {
  dialog: DocumentDialog
  onAdded: () => void
  onDeleted: (ids: ReadonlySet<string>) => void
}

/** Dialogs that add, change and delete documents. */
export function DocumentDialogs({ memoryId, dialog, onAdded, onChanged, onDeleted, onClose }: DialogsProps) {
  const props = { memoryId, onChanged, onClose }
  if (dialog.is === 'text') return <AddText memoryId={memoryId} onAdded={onAdded} onClose={onClose} />
  if (dialog.is === 'url') return <AddUrl memoryId={memoryId} onAdded={onAdded} onClose={onClose} />
  if (dialog.is === 'edit') return <EditDocument document={dialog.document} {...props} />
  if (dialog.is === 'tags') return <TagDocuments documents={dialog.documents} {...props} />
  return <DeleteDocuments memoryId={memoryId} documents={dialog.documents} onDeleted={onDeleted} onClose={onClose} />
}

/** Splits text into tags, at commas. */
export function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

/** Asks before documents are deleted. `onDeleted` gets their identifiers. */
function DeleteDocuments({
  memoryId,
  documents,
  onDeleted,
  onClose,
}: {
  memoryId: string
  documents: readonly { id: string; title: string }[]
  onDeleted: (ids: ReadonlySet<string>) => void
  onClose: () => void
}) {
  const [first] = documents
  const isOne = documents.length === 1
  async function remove() {
    const ids = documents.map(({ id }) => id)
    for (let at = 0; at < ids.length; at += MAX_DELETED)
      await client.value.documents.deleteMany(memoryId, { ids: ids.slice(at, at + MAX_DELETED) })
    onDeleted(new Set(ids))
    showToast(`${pluralize(ids.length, 'document')} deleted.`)
  }
  return (
    <Deletion
      title={isOne ? `Delete “${first?.title}”?` : `Delete ${pluralize(documents.length, 'document')}?`}
      label={isOne ? 'Delete document' : `Delete ${pluralize(documents.length, 'document')}`}
      warning={
        <>
          {!isOne && <Names documents={documents} />}
          <p>
            {isOne ? 'It is' : 'They are'} no longer found from now on. The text, the stored original and the passages
            are erased within 15 minutes. This cannot be undone.{' '}
            <a href="/docs/guides/permanent-deletion">About permanent deletion</a>
          </p>
        </>
      }
      action={remove}
      onClose={onClose}
    />
  )
}

/** Documents that are named in a question about many. */
const MAX_NAMED = 5

function Names({ documents }: { documents: readonly { id: string; title: string }[] }) {
  const rest = documents.length - MAX_NAMED
  return (
    <ul class="names">
      {documents.slice(0, MAX_NAMED).map(({ id, title }) => (
        <li key={id} class="one-line" dir="auto">
          {title}
        </li>
      ))}
      {rest > 0 && <li class="quiet">and {pluralize(rest, 'other')}</li>}
    </ul>
  )
}

type ChangeProps = { memoryId: string; onChanged: (document: MemoryDocument) => void; onClose: () => void }

/** Form for the title and the tags of a document. */
function EditDocument({ document, memoryId, onChanged, onClose }: ChangeProps & { document: MemoryDocument }) {
  async function change(fields: FormData) {
    await send({ title: textOf(fields, 'title'), tags: splitTags(textOf(fields, 'tags')) })
    const undo = () => send({ title: document.title, tags: document.tags })
    showToast('Document changed.', undo, [`title of ${document.id}`, `tags of ${document.id}`])
    onClose()
  }
  async function send(change: { title: string; tags: string[] }) {
    const { warnings: _, ...changed } = await client.value.documents.change(memoryId, document.id, change)
    onChanged(changed)
  }
  return (
    <Modal title="Edit title and tags" onClose={onClose}>
      <Form label="Save" action={change} onCancel={onClose}>
        <label>
          Title
          <input name="title" dir="auto" maxLength={1000} autocomplete="off" required defaultValue={document.title} />
        </label>
        <label>
          <span>
            Tags <span class="hint">comma-separated</span>
          </span>
          <input name="tags" dir="auto" autocomplete="off" defaultValue={document.tags.join(', ')} />
        </label>
      </Form>
    </Modal>
  )
}

/** Form that adds tags to many documents, and takes others away. */
function TagDocuments({ documents, memoryId, onChanged, onClose }: ChangeProps & { documents: Documents }) {
  const [done, setDone] = useState(0)
  const present = [...new Set(documents.flatMap(({ tags }) => tags))].sort()
  async function change(fields: FormData) {
    const added = splitTags(textOf(fields, 'tags'))
    const removed = new Set(fields.getAll('removed').map(String))
    const changed: MemoryDocument[] = []
    await forEach(documents, async (document) => {
      const { tags } = document
      const wanted = [...new Set([...tags.filter((tag) => !removed.has(tag)), ...added])]
      const isSame = wanted.length === tags.length && wanted.every((tag) => tags.includes(tag))
      if (!isSame) {
        await send(document, wanted)
        changed.push(document)
      }
      setDone((before) => before + 1)
    })
    onClose()
    if (changed.length === 0) return showToast('Nothing changed.')
    const undo = () => forEach(changed, (document) => send(document, document.tags))
    const things = changed.map(({ id }) => `tags of ${id}`)
    showToast(`Tags of ${pluralize(changed.length, 'document')} changed.`, undo, things)
  }
  async function send({ id }: MemoryDocument, tags: string[]) {
    const { warnings: _, ...changed } = await client.value.documents.change(memoryId, id, { tags })
    onChanged(changed)
  }
  return (
    <Modal title={`Tag ${pluralize(documents.length, 'document')}`} onClose={onClose}>
      <Form label="Save tags" action={change} onCancel={onClose}>
        <label>
          <span>
            Add tags <span class="hint">comma-separated</span>
          </span>
          <input name="tags" dir="auto" autocomplete="off" />
        </label>
        {present.length > 0 && (
          <fieldset class="removed-tags">
            <legend>Remove tags</legend>
            {present.map((tag) => (
              <label key={tag} class="choice">
                <input type="checkbox" name="removed" value={tag} /> <bdi>{tag}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        {done > 0 && <progress max={documents.length} value={done} aria-label="Documents changed" />}
      </Form>
    </Modal>
  )
}

/** Runs a few at a time. Rejects with the first error; the others do not start then. */
async function forEach<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await act(item)
    }),
  )
}

/** Processes again what is missing of documents. */
export async function retryDocuments(documents: Documents): Promise<void> {
  const jobs = new Set(documents.filter(isRetryable).map(({ jobId }) => jobId as string))
  try {
    await forEach([...jobs], async (id) => void (await client.value.jobs.retry(id)))
    showToast(`${pluralize(jobs.size, 'job')} started again.`)
  } catch (error) {
    showToast(error instanceof Error ? error.message : String(error))
  }
}

/** Returns whether a job can process the missing parts of a document. */
export function isRetryable({ status, jobId }: MemoryDocument): boolean {
  return jobId !== null && (status === 'failed' || status === 'partial')
}

type AddFormProps = { memoryId: string; onAdded: () => void; onClose: () => void }

/** Form for a text. */
function AddText({ memoryId, onAdded, onClose }: AddFormProps) {
  async function add(fields: FormData) {
    const title = textOf(fields, 'title')
    await client.value.documents.addTexts(memoryId, [
      {
        text: String(fields.get('text') ?? ''),
        tags: splitTags(textOf(fields, 'tags')),
        ...(title === '' ? {} : { title }),
      },
    ])
    onAdded()
  }
  return (
    <Modal title="Add text" onClose={onClose}>
      <Form label="Add document" action={add} onCancel={onClose}>
        <label>
          Title
          <input name="title" dir="auto" maxLength={1000} autocomplete="off" />
        </label>
        <label>
          Text
          <textarea name="text" dir="auto" rows={10} required />
        </label>
        <label>
          <span>
            Tags <span class="hint">comma-separated</span>
          </span>
          <input name="tags" dir="auto" autocomplete="off" />
        </label>
      </Form>
    </Modal>
  )
}

/** Form for the address of a page or file. */
function AddUrl({ memoryId, onAdded, onClose }: AddFormProps) {
  async function add(fields: FormData) {
    await client.value.documents.addUrl(memoryId, textOf(fields, 'url'), { storeSource: true })
    onAdded()
  }
  return (
    <Modal title="Add from URL" onClose={onClose}>
      <p class="quiet">
        The service downloads the page or file, up to 100 MB. URLs in private networks are not allowed.
      </p>
      <Form label="Download and add" action={add} onCancel={onClose}>
        <label>
          URL
          <input name="url" type="url" required placeholder="https://…" />
        </label>
      </Form>
    </Modal>
  )
}
