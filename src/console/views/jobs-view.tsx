import { ChevronRight, ListChecks } from 'lucide'
import { type ComponentChildren, Fragment } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ArchiveMember, Job } from '../../client/resources.ts'
import { describeQueue, isRunning, readQueue } from '../follow-job.ts'
import { formatBytes, formatCount, pluralize } from '../format.ts'
import { useEvery, useLoad } from '../hooks.ts'
import { memoryNames } from '../memory-list.ts'
import { CopiedId } from '../parts/copy-as.tsx'
import { Empty } from '../parts/empty.tsx'
import { Form } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { PageTurner, usePages } from '../parts/page-turner.tsx'
import { ACTIONS, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { keepQuery, linkBackTo, linkTo, route, setQuery } from '../route.ts'
import { client, mayWrite } from '../session.ts'
import { useCrumbs } from '../shell/top-bar.tsx'

/** Interval of updates while jobs run. Without running jobs, new ones are looked for less often. */
const REFRESH_MS = 1500
const IDLE_MS = 5000

const STATES = ['pending', 'processing', 'completed', 'partial', 'failed'] as const
type State = (typeof STATES)[number]

/** Labels of the job types. */
const KINDS: Readonly<Record<string, string>> = {
  documentingestion: 'Adding documents',
  memoryimport: 'Importing a memory',
  reembedding: 'Re-embedding',
}

/** Background jobs with their progress, or the one of the address. */
export function Jobs() {
  const [, jobId] = route.value.parts
  return jobId === undefined ? <JobList /> : <OneJob key={jobId} jobId={jobId} />
}

function JobList() {
  const state = STATES.find((name) => name === route.value.query.get('status')) ?? ''
  const pages = usePages()
  const { value, error, isLoading, reload } = useLoad(
    (signal) => readJobs(state, pages.query, signal),
    [state, pages.query],
  )
  useEffect(() => pages.first(), [state])
  // A link that names a status is a way to the list as well.
  useEffect(() => keepQuery(linkTo('jobs'), { status: state }), [state])
  const isBusy = value !== null && value.running + value.waiting > 0
  useEvery(isBusy ? REFRESH_MS : IDLE_MS, !isLoading, reload)
  return (
    <>
      <header class="head">
        <div>
          <h1>Jobs</h1>
          <p class="quiet">{value && describeQueue(value)}</p>
        </div>
        <label>
          <span class="hidden">Status</span>
          <select value={state} onChange={(event) => setQuery({ status: event.currentTarget.value })}>
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
        <Empty icon={ListChecks} title={state === '' ? 'No jobs' : `No ${state} jobs`}>
          <p>Large files and long scans are processed in background jobs.</p>
        </Empty>
      )}
      {value !== null && value.total > 0 && (
        <Table columns={['Status', 'Job', 'Memory', 'Result', 'Created', ACTIONS]}>
          {value.jobs.map((job) => (
            <JobRow key={job.id} job={job} onChange={reload} />
          ))}
        </Table>
      )}
      {value && <PageTurner pages={pages} nextCursor={value.nextCursor} />}
    </>
  )
}

async function readJobs(state: State | '', page: { cursor?: string }, signal: AbortSignal) {
  const filter = state === '' ? {} : { status: state }
  const [list, queue] = await Promise.all([
    client.value.jobs.listPage({ limit: 50, ...filter, ...page }, { signal }),
    readQueue(signal),
  ])
  return { ...list, ...queue }
}

type JobProps = { job: Job; onChange: () => void }

function JobRow({ job, onChange }: JobProps) {
  return (
    <tr>
      <td>
        <span class={`state ${job.status}`}>{job.status}</span>
      </td>
      <td class="named few">
        <a href={linkTo('jobs', job.id)}>{kindOf(job)}</a>
        {job.attempts > 1 && <span class="faint"> attempt {job.attempts}</span>}
      </td>
      <td class="few">
        <MemoryLink job={job} />
      </td>
      <td class={job.status === 'failed' ? 'result bad' : 'result'}>
        <Progress job={job} />
        <p class={job.status === 'completed' ? 'one-line' : 'beginning'} dir="auto" title={job.error ?? describe(job)}>
          {job.error ?? describe(job)}
          {mustImportAgain(job) && ' The archive is not stored. Import it again.'}
        </p>
      </td>
      <td class="few quiet">
        <Time at={job.createdAt} />
      </td>
      <td class="actions">
        <Actions job={job} onChange={onChange} />
      </td>
    </tr>
  )
}

function kindOf({ jobType }: Job): string {
  return KINDS[jobType] ?? jobType
}

function Progress({ job }: { job: Job }) {
  return isRunning(job) ? <progress max={100} value={job.progress} aria-label={job.message} /> : null
}

/** Link to the memory of a job; nothing without a memory. */
function MemoryLink({ job: { memoryId } }: { job: Job }) {
  if (memoryId === null) return null
  const name = memoryNames.value.get(memoryId) ?? 'a memory'
  return (
    <a class="plain one-line" href={linkTo('memories', memoryId, 'documents')} title={name}>
      <bdi>{name}</bdi>
    </a>
  )
}

function mustImportAgain({ jobType, status }: Job): boolean {
  return jobType === 'memoryimport' && status === 'failed'
}

/** Cancels a job that runs, and retries one that failed. */
function Actions({ job, onChange }: JobProps) {
  const isImport = job.jobType === 'memoryimport'
  const hasMissing = job.status === 'failed' || job.status === 'partial'
  const act = (work: (id: string) => Promise<unknown>) => async () => {
    await work(job.id)
    onChange()
  }
  if (!mayWrite.value) return null
  if (isRunning(job)) return <Form label="Cancel" look="quiet" action={act((id) => client.value.jobs.cancel(id))} />
  if (isImport || !hasMissing) return null
  return <Form label="Retry" look="quiet" action={act((id) => client.value.jobs.retry(id))} />
}

/** A job: what it did, with its result and the reason of a failure. */
function OneJob({ jobId }: { jobId: string }) {
  const {
    value: job,
    error,
    isLoading,
    reload,
  } = useLoad((signal) => client.value.jobs.get(jobId, { signal }), [jobId])
  useEvery(REFRESH_MS, job !== null && isRunning(job) && !isLoading, reload)
  const title = job === null ? 'Job' : kindOf(job)
  useCrumbs([
    ['Jobs', linkBackTo('jobs')],
    [title, linkTo('jobs', jobId)],
  ])
  return (
    <>
      <header class="head">
        <div>
          <h1>{title}</h1>
          {job && (
            <p>
              <span class={`state ${job.status}`}>{job.status}</span> {job.error === undefined && describe(job)}
            </p>
          )}
        </div>
        {job && <Actions job={job} onChange={reload} />}
      </header>
      <Notice error={error} onRetry={reload} />
      {job === null && error === null && <Skeleton rows={4} />}
      {job && (
        <div class="stack">
          <Progress job={job} />
          {job.error !== undefined && (
            <div class="notice">
              <strong dir="auto">{job.error}</strong>
              {mustImportAgain(job) && 'The archive is not stored. Import it again.'}
            </div>
          )}
          <Facts job={job} />
          <Warnings job={job} />
          <Members job={job} />
        </div>
      )}
    </>
  )
}

function Facts({ job }: { job: Job }) {
  const { id, memoryId, result, attempts, createdAt, startedAt, completedAt } = job
  const [documentId, ...others] = result?.documentIds ?? []
  const isOne = memoryId !== null && documentId !== undefined && others.length === 0
  const facts: (readonly [string, ComponentChildren])[] = [
    ['ID', <CopiedId key="id" id={id} />],
    ...(memoryId === null ? [] : [['Memory', <MemoryLink key="memory" job={job} />] as const]),
    ...(isOne ? [['Document', <DocumentLink key="document" memoryId={memoryId} id={documentId} />] as const] : []),
    ['Progress', `${job.progress} %`],
    ['Attempts', attempts],
    ['Created', <Time key="created" at={createdAt} />],
    ['Started', <Time key="started" at={startedAt} />],
    ['Ended', <Time key="ended" at={completedAt} />],
  ]
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** What a job did or does. The message of the service also has what is missing in a partial job. */
function describe({ status, message, result }: Job): string {
  if (status !== 'completed' || result === undefined || result.documentsAdded === 0) return message
  const { documentsAdded, documentsSkipped, chunksCreated, totalBytes } = result
  return [
    `${pluralize(documentsAdded, 'document')} added`,
    ...(documentsSkipped > 0 ? [`${formatCount(documentsSkipped)} skipped`] : []),
    pluralize(chunksCreated, 'passage'),
    ...(totalBytes > 0 ? [formatBytes(totalBytes)] : []),
  ].join(' · ')
}

function DocumentLink({ memoryId, id }: { memoryId: string; id: string }) {
  return (
    <a href={linkTo('memories', memoryId, 'documents', id)}>
      Open the document <Icon of={ChevronRight} />
    </a>
  )
}

function Warnings({ job }: { job: Job }) {
  const messages = new Set(job.result?.warnings.map(({ message }) => message))
  if (messages.size === 0) return null
  return (
    <>
      <h2>Warnings</h2>
      <ul>
        {[...messages].map((message) => (
          <li key={message} dir="auto">
            {message}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Members of an archive that are listed. */
const MAX_MEMBERS = 200

/** Results of the members of an archive. Those that were not added come first. */
function Members({ job: { memoryId, result } }: { job: Job }) {
  const members = result?.members ?? []
  if (members.length === 0 || memoryId === null) return null
  const sorted = members.toSorted((a, b) => Number(a.status === 'ready') - Number(b.status === 'ready'))
  return (
    <>
      <h2>Files of the archive</h2>
      <ul class="list">
        {sorted.slice(0, MAX_MEMBERS).map((member, index) => (
          <MemberRow key={index} memoryId={memoryId} member={member} />
        ))}
      </ul>
      {members.length > MAX_MEMBERS && <p class="quiet">and {pluralize(members.length - MAX_MEMBERS, 'other')}</p>}
    </>
  )
}

function MemberRow({ memoryId, member }: { memoryId: string; member: ArchiveMember }) {
  const { filename, status, documentId, duplicateOf, message } = member
  const id = documentId ?? duplicateOf
  return (
    <li>
      <div>
        <p dir="auto">{filename || 'A deleted document'}</p>
        {message !== null && <p class="quiet">{message}</p>}
      </div>
      <span class={`state ${status}`}>{status}</span>
      {id !== null && <DocumentLink memoryId={memoryId} id={id} />}
    </li>
  )
}
