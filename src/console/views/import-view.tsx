import { useEffect, useRef, useState } from 'preact/hooks'
import type { AcceptedDocuments } from '../../client/answers.ts'
import type { Memory } from '../../client/client.ts'
import { randomName } from '../../client/send-request.ts'
import { followJob } from '../follow-job.ts'
import { Form, textOf } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { goTo } from '../route.ts'
import { sendForm } from '../transfers.ts'

type ImportProgress = { what: string; share: number }

/**
 * Imports an archive as a new memory and opens it. If the dialog is closed, the import continues,
 * and a notice reports its end.
 */
export function ImportArchive({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [doing, setDoing] = useState<ImportProgress | null>(null)
  const isClosed = useRef(false)
  useEffect(
    () => () => {
      isClosed.current = true
    },
    [],
  )
  // Another file or name is a new import.
  const attempt = useRef(randomName())
  async function make(fields: FormData) {
    const form = new FormData()
    if (textOf(fields, 'name') !== '') form.append('name', textOf(fields, 'name'))
    form.append('file', fields.get('file') as File)
    const answer = await sendForm<Memory | AcceptedDocuments>({
      path: '/v1/memories/import',
      form,
      idempotencyKey: attempt.current,
      onProgress: (share) => setDoing({ what: share < 1 ? 'Uploading' : 'Verifying hashes', share }),
    })
    const memoryId = 'jobId' in answer ? await waitForMemory(answer.jobId, setDoing) : answer.id
    if (isClosed.current) return onMade()
    onClose()
    goTo('memories', memoryId)
  }
  return (
    <Modal title="Import an archive" onClose={onClose}>
      <p>Restores an exported memory as a new memory, with documents, corrections and originals.</p>
      <Form
        label="Import archive"
        action={(fields) =>
          make(fields).catch((error: unknown) => {
            setDoing(null)
            throw error
          })
        }
      >
        <div onChange={() => (attempt.current = randomName())}>
          <label>
            Archive
            <input name="file" type="file" required accept=".gz,.tgz,application/gzip" />
          </label>
          <label>
            <span>
              Name <span class="hint">optional; defaults to the name in the archive</span>
            </span>
            <input name="name" dir="auto" maxLength={1000} autocomplete="off" />
          </label>
        </div>
        <p class="quiet" role="status">
          {doing?.what}
        </p>
        {doing && <progress max={1} value={doing.share} aria-label={doing.what} />}
      </Form>
    </Modal>
  )
}

/** Returns the ID of the imported memory. Rejects with the error of the job. */
async function waitForMemory(jobId: string, tell: (doing: ImportProgress) => void): Promise<string> {
  const job = await followJob(jobId, ({ message, progress }) => tell({ what: message, share: progress / 100 }))
  if (job.status !== 'completed' || job.memoryId === null) throw new Error(job.error ?? job.message)
  return job.memoryId
}
