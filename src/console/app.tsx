import { Unplug } from 'lucide'
import { UploadPanel } from './documents/upload-panel.tsx'
import { Empty } from './parts/empty.tsx'
import { linkTo, route } from './route.ts'
import { apiKey, isLost, isRefused } from './session.ts'
import { CommandBar, KeyboardKeys } from './shell/command-bar.tsx'
import { isSideBarOpen, listPlaces, SideBar } from './shell/side-bar.tsx'
import { SignIn, SignInAgain } from './shell/sign-in.tsx'
import { Toasts } from './shell/toasts.tsx'
import { TopBar, useCrumbs } from './shell/top-bar.tsx'
import { DocumentView } from './views/document-view.tsx'
import { Health } from './views/health-view.tsx'
import { Jobs } from './views/jobs-view.tsx'
import { Keys } from './views/keys-view.tsx'
import { Memories } from './views/memories-view.tsx'
import { MemoryView } from './views/memory-view.tsx'
import { Projects } from './views/projects-view.tsx'
import { Usage } from './views/usage-view.tsx'
import { Webhooks } from './views/webhooks-view.tsx'

const NOT_FOUND_TITLE = 'Page not found'

/** Root of the console. Asks for a key first if one is required. */
export function App() {
  const [place = 'memories', id] = route.value.parts
  const isOne = (place === 'memories' || place === 'jobs') && id !== undefined
  useCrumbs(apiKey.value === null || isOne ? null : [[nameOf(place), linkTo(place)]])
  if (apiKey.value === null) return <SignIn />
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page, as links do */}
      <a class="skip" href="#content" onClick={skipToContent}>
        Skip to content
      </a>
      <SideBar />
      {isSideBarOpen.value && (
        <button type="button" class="veil" aria-label="Close the menu" onClick={() => (isSideBarOpen.value = false)} />
      )}
      <div class="content">
        <TopBar />
        <main id="content" tabIndex={-1}>
          <div role="status">
            {isLost.value && (
              <p class="lost">
                <strong>The service is not responding.</strong> Your input is kept. The console reconnects
                automatically.
              </p>
            )}
          </div>
          <Place />
        </main>
      </div>
      <CommandBar />
      <KeyboardKeys />
      <UploadPanel />
      <Toasts />
      {isRefused.value && <SignInAgain />}
    </>
  )
}

/** Own properties only: inherited names such as `constructor` are not places. */
function nameOf(place: string): string {
  return listPlaces().find(([path]) => path === place)?.[1].name ?? NOT_FOUND_TITLE
}

/** The URL fragment is the location of the console, so a fragment link would navigate away. */
function skipToContent(event: Event): void {
  event.preventDefault()
  document.querySelector('main')?.focus()
}

function NotFound() {
  return (
    <>
      <h1 class="hidden">{NOT_FOUND_TITLE}</h1>
      <Empty title="Nothing is here" icon={Unplug}>
        <p>The link is wrong, or what it led to was deleted.</p>
        <a class="button" href={linkTo('memories')}>
          Go to memories
        </a>
      </Empty>
    </>
  )
}

/** Views without parameters, by their path. */
const VIEWS = { jobs: Jobs, projects: Projects, webhooks: Webhooks, keys: Keys, usage: Usage, health: Health }

function Place() {
  const { parts, query } = route.value
  const [place = 'memories', id, tab = '', documentId] = parts
  if (Object.hasOwn(VIEWS, place)) {
    const View = VIEWS[place as keyof typeof VIEWS]
    return <View />
  }
  if (place !== 'memories') return <NotFound />
  if (id === undefined) return <Memories projectId={query.get('project')} />
  if (documentId === undefined) return <MemoryView key={id} memoryId={id} tab={tab} />
  const [start, end] = [Number(query.get('start')), Number(query.get('end'))]
  const marked = end > start && start >= 0 ? { start, end } : null
  return <DocumentView key={`${id} ${documentId}`} memoryId={id} documentId={documentId} marked={marked} />
}
