import { useEffect, useRef, useState } from 'preact/hooks'
import type { AcceptedDocuments } from '../../client/answers.ts'
import type { Memory } from '../../client/client.ts'
import { randomName } from '../../client/send-request.ts'
import { followJob } from '../follow-job.ts'
import { Form, textOf } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { goTo } from '../route.ts'
import { sendForm } from '../transfers.ts'

type Doing = { what: string; share: number }

/** Makes a memory of an archive that was exported, and opens it. Closed before, it goes on, opens nothing and tells when the memory is there. */
export function ImportArchive({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [doing, setDoing] = useState<Doing | null>(null)
  const isClosed = useRef(false)
  useEffect(
    () => () => {
      isClosed.current = true
    },
    [],
  )
  // Another file or name is another import.
  const attempt = useRef(randomName())
  async function make(fields: FormData) {
    const form = new FormData()
    if (textOf(fields, 'name') !== '') form.append('name', textOf(fields, 'name'))
    form.append('file', fields.get('file') as File)
    const answer = await sendForm<Memory | AcceptedDocuments>({
      path: '/v1/memories/import',
      form,
      idempotencyKey: attempt.current,
      onProgress: (share) => setDoing({ what: share < 1 ? 'Sending' : 'Checking every hash', share }),
    })
    const memoryId = 'jobId' in answer ? await waitForMemory(answer.jobId, setDoing) : answer.id
    if (isClosed.current) return onMade()
    onClose()
    goTo('memories', memoryId)
  }
  return (
    <Modal title="Import an archive" onClose={onClose}>
      <p>A memory that was exported comes back whole, as a new one: documents, corrections and originals.</p>
      <Form
        label="Import it"
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
            Name <span class="quiet">(optional; that of the archive otherwise)</span>
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

/** The identifier of the memory that the job makes. Rejects with what the job says where it makes none. */
async function waitForMemory(jobId: string, tell: (doing: Doing) => void): Promise<string> {
  const job = await followJob(jobId, ({ message, progress }) => tell({ what: message, share: progress / 100 }))
  if (job.status !== 'completed' || job.memoryId === null) throw new Error(job.error ?? job.message)
  return job.memoryId
}
