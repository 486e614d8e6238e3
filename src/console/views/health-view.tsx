import { describeQueue, readQueue } from '../follow-job.ts'
import { formatCount } from '../format.ts'
import { useEvery, useLoad } from '../hooks.ts'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { Time } from '../parts/time.tsx'
import { linkTo } from '../route.ts'
import { readJson } from '../session.ts'

const REFRESH_MS = 10_000

/** Names of the parts of the service, with what fails without them. */
const CHECKS: Readonly<Record<string, readonly [name: string, effect: string]>> = {
  database: ['Database', 'Without it, no request is answered.'],
  objectStore: ['Object store', 'Without it, documents cannot be added or opened.'],
  embedder: ['Embedding model', 'Without it, searches find by words alone.'],
  ocr: ['Text recognition', 'Without it, scans and images have no text.'],
  worker: ['Worker', 'Without it, jobs wait.'],
}

type Check = { status: 'up' | 'down'; latencyMs: number; optional?: boolean; message?: string; error?: string }
type Readiness = { status: string; version: string; timestamp: string; checks: Readonly<Record<string, Check>> }

/** State of the service and of its parts, read again every ten seconds. */
export function Health() {
  const { value, error, reload } = useLoad((signal) => readJson<Readiness>('/health/ready', signal), [])
  const queue = useLoad(readQueue, [])
  useEvery(REFRESH_MS, true, () => {
    reload()
    queue.reload()
  })
  const checks = Object.entries(value?.checks ?? {})
  const down = checks.filter(([, { status }]) => status !== 'up')
  return (
    <>
      <header class="head">
        <h1>Health</h1>
        {value && (
          <p class="faint">
            Version {value.version} · checked <Time at={value.timestamp} />
          </p>
        )}
      </header>
      <Notice error={error ?? queue.error} onRetry={reload} />
      {value === null && error === null && <Skeleton rows={6} />}
      {value && (
        <div class="stack">
          <p
            class={down.length === 0 ? 'notice good' : value.status === 'ready' ? 'notice warn' : 'notice'}
            role="status"
          >
            <strong>
              {down.length === 0
                ? 'All parts work.'
                : `${down.map(([name]) => CHECKS[name]?.[0] ?? name).join(', ')}: not available.`}
            </strong>
          </p>
          <ul class="list">
            {checks.map(([name, check]) => (
              <CheckRow key={name} name={name} check={check} />
            ))}
            {queue.value && (
              <li>
                <div>
                  <h2>Queue</h2>
                  <p class="quiet">{describeQueue(queue.value)}</p>
                </div>
                <a class="button small" href={linkTo('jobs')}>
                  Jobs
                </a>
              </li>
            )}
          </ul>
        </div>
      )}
    </>
  )
}

function CheckRow({ name, check }: { name: string; check: Check }) {
  const [label, effect] = CHECKS[name] ?? [name, '']
  const reason = check.error ?? check.message
  return (
    <li>
      <div>
        <h2>{label}</h2>
        <p class="quiet">{reason ?? effect}</p>
      </div>
      <span class="quiet">{formatCount(Math.round(check.latencyMs))} ms</span>
      <span class={`state ${check.status}`}>{check.status}</span>
    </li>
  )
}
