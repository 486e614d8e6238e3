import { useState } from 'preact/hooks'
import type { Job, Memory } from '../../client/client.ts'
import { followJob } from '../follow-job.ts'
import { useLoad } from '../hooks.ts'
import { Guide } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'

/** Embedding model of a memory, and a form to change it. Shows a running re-embedding. */
export function Reembed({ memory, onChange }: { memory: Memory; onChange: () => void }) {
  const [job, setJob] = useState<Job | null>(null)
  async function reembed(fields: FormData) {
    const { job: begun } = await client.value.memories.reembed(memory.id, textOf(fields, 'model'))
    await follow(begun)
  }
  async function follow(begun: Job, signal?: AbortSignal) {
    setJob(begun)
    const ended = await followJob(begun.id, setJob, signal)
    onChange()
    if (ended.status !== 'completed') throw new Error(ended.error ?? ended.message)
  }
  const running = useLoad(
    async (signal) => {
      const begun = await findReembedding(memory.id, signal)
      if (begun !== null) await follow(begun, signal)
    },
    [memory.id],
  )
  return (
    <li>
      <div>
        <h2>Embedding model</h2>
        <p>
          {memory.embeddingModel === null ? (
            'The first document sets the embedding model.'
          ) : (
            <>
              Embedding model: <code>{memory.embeddingModel}</code>.
            </>
          )}{' '}
          Switching re-embeds all documents in the background. See <a href={linkTo('jobs')}>Jobs</a>. Search keeps
          working. <Guide name="re-embedding" of="embedding models" />
        </p>
        <p role="status">{job && `${job.progress} % ${job.message}`}</p>
        <Notice error={running.error} onRetry={running.reload} />
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

/**
 * Finds the job that re-embeds this memory. The second query covers a job that starts between the
 * two.
 */
async function findReembedding(memoryId: string, signal: AbortSignal): Promise<Job | null> {
  for (const status of ['pending', 'processing'] as const) {
    for await (const job of client.value.jobs.list({ memoryId, status, limit: 100 }, { signal })) {
      if (job.jobType === 'reembedding') return job
    }
  }
  return null
}
