import { useState } from 'preact/hooks'
import type { Job } from '../../client/resources.ts'
import { isRunning } from '../follow-job.ts'
import { useEvery, useLoad } from '../hooks.ts'
import { memoryNames } from '../memory-list.ts'
import { Empty } from '../parts/empty.tsx'
import { Form } from '../parts/form.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { PageTurner, usePages } from '../parts/page-turner.tsx'
import { Time } from '../parts/time.tsx'
import { linkTo } from '../route.ts'
import { client, mayWrite } from '../session.ts'

const REFRESH_MS = 1500
const STATES = ['pending', 'processing', 'completed', 'partial', 'failed'] as const
type State = (typeof STATES)[number]

/** Labels of the job types. */
const KINDS: Readonly<Record<string, string>> = {
  documentingestion: 'Adding documents',
  memoryimport: 'Importing a memory',
  reembedding: 'Re-embedding',
}

/** Background jobs with their progress. */
export function Jobs() {
  const [state, setState] = useState<State | ''>('')
  const pages = usePages()
  const { value, error, reload } = useLoad(
    (signal) => {
      const filter = state === '' ? {} : { status: state }
      return client.value.jobs.listPage({ limit: 50, ...filter, ...pages.query }, { signal })
    },
    [state, pages.query],
  )
  const names = memoryNames.value
  useEvery(REFRESH_MS, value?.jobs.some(isRunning) ?? false, reload)
  function choose(chosen: State | '') {
    setState(chosen)
    pages.first()
  }
  return (
    <>
      <header class="head">
        <h1>Jobs</h1>
        <label>
          <span class="hidden">Status</span>
          <select value={state} onChange={(event) => choose(event.currentTarget.value as State | '')}>
            <option value="">All statuses</option>
            {STATES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </header>
      <Notice error={error} onRetry={reload} />
      {value === null && error === null && <Skeleton rows={4} />}
      {value?.total === 0 && (
        <Empty title={state === '' ? 'No jobs' : `No ${state} jobs`}>
          <p>Large files and long scans are processed in background jobs.</p>
        </Empty>
      )}
      <ul class="list">
        {value?.jobs.map((job) => (
          <JobRow
            key={job.id}
            job={job}
            memoryName={(job.memoryId && names?.get(job.memoryId)) ?? null}
            onChange={reload}
          />
        ))}
      </ul>
      {value && <PageTurner pages={pages} nextCursor={value.nextCursor} />}
    </>
  )
}

function JobRow({ job, memoryName, onChange }: { job: Job; memoryName: string | null; onChange: () => void }) {
  const [documentId, ...others] = job.result?.documentIds ?? []
  const kind = KINDS[job.jobType] ?? job.jobType
  const isImport = job.jobType === 'memoryimport'
  const place = documentId === undefined || others.length > 0 ? [] : [documentId]
  const act = (work: (id: string) => Promise<unknown>) => async () => {
    await work(job.id)
    onChange()
  }
  return (
    <li>
      <div>
        <p>
          <span class={`state ${job.status}`}>{job.status}</span> {job.error ?? job.message}
        </p>
        {isRunning(job) && <progress max={100} value={job.progress} aria-label={job.message} />}
        <p class="quiet">
          {job.memoryId === null ? kind : <a href={linkTo('memories', job.memoryId, 'documents', ...place)}>{kind}</a>}
          {memoryName && (
            <>
              {' '}
              in <bdi>{memoryName}</bdi>
            </>
          )}{' '}
          · <Time at={job.createdAt} />
          {job.attempts > 1 && ` · attempt ${job.attempts}`}
        </p>
      </div>
      {mayWrite.value && isRunning(job) && (
        <Form label="Cancel" look="quiet" action={act((id) => client.value.jobs.cancel(id))} />
      )}
      {isImport && job.status === 'failed' && <p class="quiet">The archive is no longer available. Import it again.</p>}
      {mayWrite.value && !isImport && (job.status === 'failed' || job.status === 'partial') && (
        <Form label="Retry" look="quiet" action={act((id) => client.value.jobs.retry(id))} />
      )}
    </li>
  )
}
