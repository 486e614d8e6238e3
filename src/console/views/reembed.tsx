import { useState } from 'preact/hooks'
import type { Job, Memory } from '../../client/client.ts'
import { Form, textOf } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { client } from '../session.ts'

/** The model of a memory's vectors, and having them made anew by another. */
export function Reembed({ memory, onChange }: { memory: Memory; onChange: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const [job, setJob] = useState<Job | null>(null)
  async function reembed(fields: FormData) {
    const { job: begun } = await client.value.memories.reembed(memory.id, textOf(fields, 'model'))
    setJob(begun)
    const ended = await client.value.jobs.wait(begun.id, { onProgress: setJob })
    setJob(ended)
    onChange()
    if (ended.status !== 'completed') throw new Error(ended.error ?? ended.message)
  }
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        Model
      </button>
      {isOpen && (
        <Modal title={`The embedding model of “${memory.name}”`} onClose={() => setOpen(false)}>
          <p>
            {memory.embeddingModel === null
              ? 'It takes that of its first document.'
              : `Its vectors come from ${memory.embeddingModel}.`}{' '}
            With another one that is configured all of them are made anew. Until then the old ones answer, and you may
            go on adding; the work goes on when you leave.
          </p>
          <Form label="Re-embed" action={reembed}>
            <label>
              With the model
              <input name="model" required autocomplete="off" placeholder="embedded" />
            </label>
            <p role="status">{job && `${job.progress}% ${job.message}`}</p>
          </Form>
        </Modal>
      )}
    </>
  )
}
