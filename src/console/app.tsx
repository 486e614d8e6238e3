import { useEffect, useState } from 'preact/hooks'
import { formatBytes, formatCount, formatDay } from './format.ts'
import { useLoad, useTabTitle } from './hooks.ts'
import { Form, textOf } from './parts/form.tsx'
import { Modal } from './parts/modal.tsx'
import { Notice } from './parts/notice.tsx'
import { linkTo, route } from './route.ts'
import { apiKey, client, findSignIn, isLost, isRefused, person, scope, signIn, signInUrl, signOut } from './session.ts'
import { DocumentView } from './views/document-view.tsx'
import { Jobs } from './views/jobs-view.tsx'
import { Keys } from './views/keys-view.tsx'
import { Memories } from './views/memories-view.tsx'
import { MemoryView } from './views/memory-view.tsx'
import { Projects } from './views/projects-view.tsx'
import { Webhooks } from './views/webhooks-view.tsx'

const SHARED_PLACES = { memories: 'Memories', jobs: 'Jobs' }
/** Places that a memory-scoped key cannot access. */
const ORGANIZATION_PLACES = { projects: 'Projects', webhooks: 'Webhooks', keys: 'Keys', usage: 'Usage' }

const PLACE_NAMES: Readonly<Record<string, string>> = { ...SHARED_PLACES, ...ORGANIZATION_PLACES }

const NOT_FOUND_TITLE = 'Page not found'

/** Root of the console. Asks for a key first if one is required. */
export function App() {
  const [place = 'memories', id] = route.value.parts
  const isOneMemory = place === 'memories' && id !== undefined
  useTabTitle(apiKey.value === null || isOneMemory ? null : [nameOf(place)])
  if (apiKey.value === null) return <SignIn />
  const places = { ...SHARED_PLACES, ...(scope.value === 'memory' ? {} : ORGANIZATION_PLACES) }
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page, as links do */}
      <a class="skip" href="#content" onClick={skipToContent}>
        Skip to content
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
        {(apiKey.value !== '' || person.value !== null) && <SignOut />}
      </nav>
      <main id="content" tabIndex={-1}>
        <div role="status">
          {isLost.value && (
            <p class="lost">
              <strong>The service is not responding.</strong> Your input is kept. The console reconnects automatically.
            </p>
          )}
        </div>
        <Place />
      </main>
      {isRefused.value && <SignInAgain />}
    </>
  )
}

function SignOut() {
  const [error, setError] = useState<unknown>(null)
  return (
    <>
      {person.value !== null && (
        <p class="quiet">
          Signed in as <bdi>{person.value}</bdi>
        </p>
      )}
      <Notice error={error} />
      <button type="button" class="link" onClick={() => void signOut().catch(setError)}>
        Sign out
      </button>
    </>
  )
}

/** Own properties only: inherited names such as `constructor` are not places. */
function nameOf(place: string): string {
  return (Object.hasOwn(PLACE_NAMES, place) ? PLACE_NAMES[place] : null) ?? NOT_FOUND_TITLE
}

/** The URL fragment is the location of the console, so a fragment link would navigate away. */
function skipToContent(event: Event): void {
  event.preventDefault()
  document.querySelector('main')?.focus()
}

function NotFound() {
  return (
    <>
      <h1>{NOT_FOUND_TITLE}</h1>
      <p>
        This page does not exist. <a href={linkTo('memories')}>Go to memories</a>
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
  if (place !== 'memories') return <NotFound />
  if (id === undefined) return <Memories projectId={query.get('project')} />
  if (documentId === undefined) return <MemoryView key={id} memoryId={id} tab={tab} />
  const [start, end] = [Number(query.get('start')), Number(query.get('end'))]
  const marked = end > start && start >= 0 ? { start, end } : null
  return <DocumentView key={`${id} ${documentId}`} memoryId={id} documentId={documentId} marked={marked} />
}

/** Asks for a key, unless the service requires none. */
function SignIn() {
  const [isTrying, setTrying] = useState(true)
  useEffect(() => {
    // The form is shown with all ways to sign in, so that no button jumps.
    const looked = findSignIn().catch(() => undefined)
    signIn('').catch(() => looked.then(() => setTrying(false)))
  }, [])
  useTabTitle(isTrying ? null : ['Sign in'])
  if (isTrying) return null
  return (
    <main class="sign-in" tabIndex={-1}>
      <img src="/console/icon.svg" alt="" width="56" height="56" />
      <h1>Recollect</h1>
      {signInUrl.value !== null && (
        <p>
          <a class="primary" href={signInUrl.value}>
            Sign in with single sign-on
          </a>
        </p>
      )}
      <p>
        {signInUrl.value === null ? 'Sign in' : 'Or sign in'} with an API key. The service printed the first key when it
        started for the first time.
      </p>
      <KeyForm />
      <details>
        <summary>I don't have a key</summary>
        <p>
          To create one, run this on the server in the service's folder: <code>npm run cli -- keys create</code> in a
          checkout, or <code>npx recollect keys create</code> with an installed package.
        </p>
      </details>
      <p class="quiet">The key is stored in this tab only, until the tab is closed.</p>
    </main>
  )
}

/** Dialog over the current view for a rejected key. The view and its input are kept. */
function SignInAgain() {
  return (
    <Modal title="Sign in again" onClose={() => (isRefused.value = false)}>
      {person.value === null ? (
        <>
          <p>The key was rejected. It may have been revoked. Your input is kept.</p>
          <KeyForm />
        </>
      ) : (
        <>
          <p>
            Your session has ended.{' '}
            <a href={signInUrl.value ?? '/auth/sign-in'} target="_blank" rel="noopener">
              Sign in with single sign-on
            </a>{' '}
            in another tab, then continue here. Your input is kept.
          </p>
          <Form label="Continue" action={() => signIn('')} />
        </>
      )}
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

/** Usage of the plan's limits. */
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
        <bdi>{organization.name}</bdi>, plan {plan.name} · queries since {formatDay(usage.period.start)}
      </p>
      <Meter label="Storage" {...of(usage.storageBytes, limits.storageBytes, formatBytes)} />
      <Meter label="Memories" {...of(usage.memories, limits.memories, formatCount)} />
      <Meter label="Queries this month" {...of(usage.queries, limits.queriesPerMonth, formatCount)} />
      <Meter label="Documents" value={formatCount(usage.documents)} share={null} />
      <p class="quiet">
        Maximum file size {formatBytes(limits.maxFileBytes)} · images {formatBytes(limits.maxImageBytes)}.
      </p>
    </>
  )
}

/** Bar with its text. `share` is 0 to 1, `null` without a limit. */
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
