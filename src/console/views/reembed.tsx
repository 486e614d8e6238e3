import { useState } from 'preact/hooks'
import type { Job, Memory } from '../../client/client.ts'
import { followJob } from '../follow-job.ts'
import { Form, textOf } from '../parts/form.tsx'
import { Guide } from '../parts/guide.tsx'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'

/** The model of a memory's vectors, and having them made anew by another. */
export function Reembed({ memory, onChange }: { memory: Memory; onChange: () => void }) {
  const [job, setJob] = useState<Job | null>(null)
  async function reembed(fields: FormData) {
    const { job: begun } = await client.value.memories.reembed(memory.id, textOf(fields, 'model'))
    setJob(begun)
    const ended = await followJob(begun.id, setJob)
    onChange()
    if (ended.status !== 'completed') throw new Error(ended.error ?? ended.message)
  }
  return (
    <li>
      <div>
        <h2>Embedding model</h2>
        <p>
          {memory.embeddingModel === null ? (
            'It takes that of its first document.'
          ) : (
            <>
              Its meaning is found by <code>{memory.embeddingModel}</code>.
            </>
          )}{' '}
          Another one that the service is set up with makes all vectors anew, in the background: see{' '}
          <a href={linkTo('jobs')}>Jobs</a>. Until then the old ones answer.{' '}
          <Guide name="re-embedding" of="embedding models" />
        </p>
        <p role="status">{job && `${job.progress} % ${job.message}`}</p>
      </div>
      <Form label="Re-embed" look="quiet" action={reembed}>
        <label>
          With the model
          <input name="model" required autocomplete="off" placeholder="openai:text-embedding-3-small" />
        </label>
      </Form>
    </li>
  )
}
