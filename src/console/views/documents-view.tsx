import { useEffect, useState } from 'preact/hooks'
import type { MemoryDocument } from '../../client/resources.ts'
import { isRunning } from '../follow-job.ts'
import { formatBytes, formatTime, pluralize } from '../format.ts'
import { useEvery, useLoad } from '../hooks.ts'
import { Empty } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { PageTotals } from '../parts/page-report.tsx'
import { PageTurner, useKeptPages } from '../parts/page-turner.tsx'
import { Uploads } from '../parts/upload-area.tsx'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'
import { ends } from '../uploads.ts'

const REFRESH_MS = 2000

/** Documents of a memory, and the forms to add some. */
export function Documents({ memoryId, onChange }: { memoryId: string; onChange: () => void }) {
  const pages = useKeptPages(`pages of ${memoryId}`)
  const [adding, setAdding] = useState<'text' | 'url' | null>(null)
  const page = useLoad(
    (signal) => client.value.documents.listPage(memoryId, { limit: 50, ...pages.query }, { signal }),
    [memoryId, pages.query, ends.value],
  )
  const states = page.value?.documents.map(({ id, status }) => `${id} ${status}`).join()
  useEvery(REFRESH_MS, page.value?.documents.some(isRunning) ?? false, page.reload)
  // Updates the counts of the memory.
  useEffect(() => {
    if (states !== undefined) onChange()
  }, [states, ends.value])
  function added() {
    setAdding(null)
    pages.first()
    page.reload()
    onChange()
  }
  return (
    <>
      <Uploads memoryId={memoryId} />
      <div class="row">
        <button type="button" onClick={() => setAdding('text')}>
          Add text
        </button>
        <button type="button" onClick={() => setAdding('url')}>
          Add from URL
        </button>
      </div>
      <Notice error={page.error} onRetry={page.reload} />
      {page.value?.total === 0 && (
        <Empty title="No documents yet">
          <p>Drop files above. You can review the processing of every page.</p>
        </Empty>
      )}
      {page.value && page.value.total > 0 && (
        <>
          <PageTotals memoryId={memoryId} of={states ?? ''} />
          <DocumentTable memoryId={memoryId} documents={page.value.documents} />
        </>
      )}
      {page.value && (
        <PageTurner pages={pages} nextCursor={page.value.nextCursor}>
          {pluralize(page.value.total, 'document')}
        </PageTurner>
      )}
      {adding === 'text' && <AddText memoryId={memoryId} onAdded={added} onClose={() => setAdding(null)} />}
      {adding === 'url' && <AddUrl memoryId={memoryId} onAdded={added} onClose={() => setAdding(null)} />}
    </>
  )
}

function DocumentTable({ memoryId, documents }: { memoryId: string; documents: readonly MemoryDocument[] }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Document</th>
            <th scope="col">Status</th>
            <th scope="col">Pages</th>
            <th scope="col">Size</th>
            <th scope="col">Added</th>
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <tr key={document.id}>
              <td class="named">
                <a dir="auto" href={linkTo('memories', memoryId, 'documents', document.id)}>
                  {document.title}
                </a>
                {document.error && <p class="quiet">{document.error}</p>}
              </td>
              <td data-label="Status">
                <span class={`state ${document.status}`}>{document.status}</span>
              </td>
              <td data-label="Pages">
                {document.pageCount ?? '–'}
                {document.ocrPages > 0 && <span class="quiet"> ({document.ocrPages} OCR)</span>}
              </td>
              <td data-label="Size">{formatBytes(document.sizeBytes)}</td>
              <td data-label="Added">{formatTime(document.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type AddFormProps = { memoryId: string; onAdded: () => void; onClose: () => void }

function AddText({ memoryId, onAdded, onClose }: AddFormProps) {
  async function add(fields: FormData) {
    const title = textOf(fields, 'title')
    const tags = textOf(fields, 'tags')
      .split(',')
      .map((tag) => tag.trim())
    await client.value.documents.addTexts(memoryId, [
      { text: String(fields.get('text') ?? ''), tags: tags.filter(Boolean), ...(title === '' ? {} : { title }) },
    ])
    onAdded()
  }
  return (
    <Modal title="Add text" onClose={onClose}>
      <Form label="Add document" action={add}>
        <label>
          Title
          <input name="title" dir="auto" maxLength={1000} autocomplete="off" />
        </label>
        <label>
          Text
          <textarea name="text" dir="auto" rows={10} required />
        </label>
        <label>
          Tags <span class="quiet">(comma-separated)</span>
          <input name="tags" dir="auto" autocomplete="off" />
        </label>
      </Form>
    </Modal>
  )
}

function AddUrl({ memoryId, onAdded, onClose }: AddFormProps) {
  async function add(fields: FormData) {
    await client.value.documents.addUrl(memoryId, textOf(fields, 'url'), { storeSource: true })
    onAdded()
  }
  return (
    <Modal title="Add from URL" onClose={onClose}>
      <p>The service downloads the page or file, up to 100 MB. URLs in private networks are not allowed.</p>
      <Form label="Download and add" action={add}>
        <label>
          URL
          <input name="url" type="url" required placeholder="https://…" />
        </label>
      </Form>
    </Modal>
  )
}
