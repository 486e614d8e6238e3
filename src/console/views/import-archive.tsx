import { useState } from 'preact/hooks'
import { Form, textOf } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { goTo } from '../route.ts'
import { client } from '../session.ts'

/** Makes a memory of an archive that was exported, and opens it. */
export function ImportArchive({ onClose }: { onClose: () => void }) {
  const [doing, setDoing] = useState('')
  async function make(fields: FormData) {
    const [file, name] = [fields.get('file') as File, textOf(fields, 'name')]
    setDoing('Sending …')
    const answer = await client.value.memories.import({ content: file, name: file.name }, name === '' ? {} : { name })
    const memoryId = 'jobId' in answer ? await waitFor(answer.jobId) : answer.id
    onClose()
    goTo('memories', memoryId)
  }
  async function waitFor(jobId: string): Promise<string> {
    const job = await client.value.jobs.wait(jobId, { onProgress: ({ message }) => setDoing(message) })
    if (job.status !== 'completed') throw new Error(job.error ?? job.message)
    return job.memoryId
  }
  return (
    <Modal title="Import an archive" onClose={onClose}>
      <p>A memory that was exported comes back whole: documents, corrections and originals.</p>
      <Form label="Import it" action={make}>
        <label>
          Archive
          <input name="file" type="file" required accept=".gz,.tgz,application/gzip" />
        </label>
        <label>
          Name <span class="quiet">(optional; that of the archive otherwise)</span>
          <input name="name" maxLength={1000} autocomplete="off" />
        </label>
        <p class="quiet" aria-live="polite">
          {doing}
        </p>
      </Form>
    </Modal>
  )
}
