import { useEffect, useState } from 'preact/hooks'
import { formatBytes, formatCount, formatDay } from './format.ts'
import { useLoad, useTabTitle } from './hooks.ts'
import { Form, textOf } from './parts/form.tsx'
import { Modal } from './parts/modal.tsx'
import { Notice } from './parts/notice.tsx'
import { linkTo, route } from './route.ts'
import { apiKey, client, isLost, isRefused, scope, signIn, signOut } from './session.ts'
import { DocumentView } from './views/document-view.tsx'
import { Jobs } from './views/jobs-view.tsx'
import { Keys } from './views/keys-view.tsx'
import { Memories } from './views/memories-view.tsx'
import { MemoryView } from './views/memory-view.tsx'
import { Projects } from './views/projects-view.tsx'
import { Webhooks } from './views/webhooks-view.tsx'

const PLACES = { memories: 'Memories', jobs: 'Jobs' }
/** What a key of one memory may not see. */
const ORGANIZATION_PLACES = { projects: 'Projects', webhooks: 'Webhooks', keys: 'Keys', usage: 'Usage' }

const PLACE_NAMES: Readonly<Record<string, string>> = { ...PLACES, ...ORGANIZATION_PLACES }

const NO_PLACE = 'No such place'

/** The console: who has no key is asked for one, everybody else sees the place the address names. */
export function App() {
  const [place = 'memories', id] = route.value.parts
  const isOneMemory = place === 'memories' && id !== undefined
  useTabTitle(apiKey.value === null || isOneMemory ? null : [nameOf(place)])
  if (apiKey.value === null) return <SignIn />
  const places = { ...PLACES, ...(scope.value === 'memory' ? {} : ORGANIZATION_PLACES) }
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page, as links do */}
      <a class="skip" href="#content" onClick={skipToContent}>
        To the content
      </a>
      <nav class="side" aria-label="Console">
        <a class="brand" href={linkTo('memories')}>
          <img src="/console/icon.svg" alt="" width="28" height="28" /> Recollect
        </a>
        {Object.entries(places).map(([id, label]) => (
          <a key={id} href={linkTo(id)} aria-current={id === place ? 'page' : undefined}>
            {label}
          </a>
        ))}
        <a href="/docs">Documentation</a>
        {apiKey.value !== '' && (
          <button type="button" class="link" onClick={signOut}>
            Sign out
          </button>
        )}
      </nav>
      <main id="content" tabIndex={-1}>
        <div role="status">
          {isLost.value && (
            <p class="lost">
              <strong>The service does not answer.</strong> What you have typed stays here; it goes on by itself as soon
              as the service is back.
            </p>
          )}
        </div>
        <Place />
      </main>
      {isRefused.value && <SignInAgain />}
    </>
  )
}

/** What every object has, such as `constructor`, is no place. */
function nameOf(place: string): string {
  return (Object.hasOwn(PLACE_NAMES, place) ? PLACE_NAMES[place] : null) ?? NO_PLACE
}

/** The part of the address behind `#` says where one is, and has to stay. */
function skipToContent(event: Event): void {
  event.preventDefault()
  document.querySelector('main')?.focus()
}

function NoPlace() {
  return (
    <>
      <h1>{NO_PLACE}</h1>
      <p>
        There is nothing at this address in the console. <a href={linkTo('memories')}>To the memories</a>
      </p>
    </>
  )
}

function Place() {
  const { parts, query } = route.value
  const [place = 'memories', id, tab = '', documentId] = parts
  if (place === 'jobs') return <Jobs />
  if (place === 'projects') return <Projects />
  if (place === 'webhooks') return <Webhooks />
  if (place === 'keys') return <Keys />
  if (place === 'usage') return <Usage />
  if (place !== 'memories') return <NoPlace />
  if (id === undefined) return <Memories projectId={query.get('project')} />
  if (documentId === undefined) return <MemoryView key={id} memoryId={id} tab={tab} />
  const [start, end] = [Number(query.get('start')), Number(query.get('end'))]
  const marked = end > start && start >= 0 ? { start, end } : null
  return <DocumentView key={`${id} ${documentId}`} memoryId={id} documentId={documentId} marked={marked} />
}

/** Asks for a key, after trying whether none is needed. */
function SignIn() {
  const [isTrying, setTrying] = useState(true)
  useEffect(() => {
    signIn('').catch(() => setTrying(false))
  }, [])
  useTabTitle(isTrying ? null : ['Sign in'])
  if (isTrying) return null
  return (
    <main class="sign-in" tabIndex={-1}>
      <img src="/console/icon.svg" alt="" width="56" height="56" />
      <h1>Recollect</h1>
      <p>Sign in with an API key. The first one was printed when the service started for the first time.</p>
      <KeyForm />
      <details>
        <summary>I have no key</summary>
        <p>
          On the machine of the service, in its folder, this makes a new one: <code>npm run cli -- keys create</code>,
          or <code>npx recollect keys create</code> where Recollect is an installed package.
        </p>
      </details>
      <p class="quiet">The key stays in this tab and is forgotten when it closes.</p>
    </main>
  )
}

/** Over the view that one is in, when its key is refused: with another key it goes on, with all that was typed. */
function SignInAgain() {
  return (
    <Modal title="Sign in again" onClose={() => (isRefused.value = false)}>
      <p>The key is not accepted any more: it may have been revoked. What you have typed stays here.</p>
      <KeyForm />
    </Modal>
  )
}

function KeyForm() {
  return (
    <Form label="Sign in" action={async (fields) => signIn(textOf(fields, 'key'))}>
      <label>
        API key
        <input name="key" type="password" autocomplete="off" spellcheck={false} required placeholder="rcl_…" />
      </label>
    </Form>
  )
}

/** What is used of what the plan allows. */
function Usage() {
  const { value: account, error, reload } = useLoad((signal) => client.value.account({ signal }), [])
  if (account === null) return <Notice error={error} onRetry={reload} />
  const { plan, usage, organization } = account
  const { limits } = plan
  const of = (used: number, limit: number | null, format: (value: number) => string) => ({
    value: limit === null ? `${format(used)}, no limit` : `${format(used)} of ${format(limit)}`,
    share: limit === null ? null : used / limit,
  })
  return (
    <>
      <h1>Usage</h1>
      <p class="quiet">
        <bdi>{organization.name}</bdi>, plan {plan.name}; queries since {formatDay(usage.period.start)}
      </p>
      <Meter label="Storage" {...of(usage.storageBytes, limits.storageBytes, formatBytes)} />
      <Meter label="Memories" {...of(usage.memories, limits.memories, formatCount)} />
      <Meter label="Queries this month" {...of(usage.queries, limits.queriesPerMonth, formatCount)} />
      <Meter label="Documents" value={formatCount(usage.documents)} share={null} />
      <p class="quiet">
        A file may have {formatBytes(limits.maxFileBytes)}, a picture {formatBytes(limits.maxImageBytes)}.
      </p>
    </>
  )
}

/** A bar that fills up, with its words beside it. `share` is 0 to 1; `null` where there is no limit. */
function Meter({ label, value, share }: { label: string; value: string; share: number | null }) {
  const percent = share === null ? 0 : Math.round(Math.min(1, share) * 100)
  return (
    <div class="meter">
      <span>{label}</span>
      <span>{value}</span>
      {share !== null && (
        <progress max={100} value={percent} aria-label={`${label}: ${percent} %`} class={share > 0.9 ? 'full' : ''} />
      )}
    </div>
  )
}
