import { computed, type ReadonlySignal, signal } from '@preact/signals'
import {
  Activity,
  BookOpen,
  ChartNoAxesColumn,
  Database,
  Folder,
  type IconNode,
  KeyRound,
  ListChecks,
  LogOut,
  Monitor,
  Moon,
  Search,
  Sun,
  Webhook,
} from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { recentMemories } from '../memory-list.ts'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { linkTo, route } from '../route.ts'
import { apiKey, mayAdminister, person, scope, signOut } from '../session.ts'
import { openCommands } from './command-bar.tsx'

type Place = { name: string; icon: IconNode; needs?: ReadonlySignal<boolean> }

const isOfOrganization = computed(() => scope.value !== 'memory')

/** Places of the side bar by path, with what the key must have. */
const PLACES: Readonly<Record<string, Place>> = {
  memories: { name: 'Memories', icon: Database },
  jobs: { name: 'Jobs', icon: ListChecks },
  projects: { name: 'Projects', icon: Folder, needs: isOfOrganization },
  usage: { name: 'Usage', icon: ChartNoAxesColumn, needs: isOfOrganization },
  keys: { name: 'Keys', icon: KeyRound, needs: mayAdminister },
  webhooks: { name: 'Webhooks', icon: Webhook, needs: mayAdminister },
  health: { name: 'Health', icon: Activity },
}

/** Places that the key can access. */
export function listPlaces(): readonly (readonly [path: string, place: Place])[] {
  return Object.entries(PLACES).filter(([, { needs }]) => needs?.value !== false)
}

/** True while the side bar covers the page, on a narrow screen. */
export const isSideBarOpen = signal(false)

const MAX_RECENT_SHOWN = 8

/** Places, recent memories, and what belongs to the person. */
export function SideBar() {
  const [place = 'memories', id] = route.value.parts
  // A navigation closes the side bar, and so does Escape.
  useEffect(() => {
    isSideBarOpen.value = false
  }, [route.value])
  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') isSideBarOpen.value = false
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [])
  return (
    <nav class={isSideBarOpen.value ? 'side open' : 'side'} aria-label="Console">
      <a class="brand" href={linkTo('memories')}>
        <img src="/console/icon.svg" alt="" width="20" height="20" /> Recollect
      </a>
      <button type="button" class="command" onClick={() => openCommands()}>
        <Icon of={Search} /> <span>Go to …</span> <kbd>Ctrl K</kbd>
      </button>
      {listPlaces().map(([path, { name, icon }]) => (
        <a
          key={path}
          class="item"
          href={linkTo(path)}
          aria-current={path === place && id === undefined ? 'page' : undefined}
        >
          <Icon of={icon} /> <span>{name}</span>
        </a>
      ))}
      <RecentMemories openId={place === 'memories' ? id : undefined} />
      <div class="foot">
        <a class="item" href="/docs">
          <Icon of={BookOpen} /> <span>Documentation</span>
        </a>
        <ThemeChoice />
        {(apiKey.value !== '' || person.value !== null) && <SignOut />}
      </div>
    </nav>
  )
}

function RecentMemories({ openId }: { openId: string | undefined }) {
  const memories = recentMemories.value.slice(0, MAX_RECENT_SHOWN)
  if (memories.length === 0) return null
  return (
    <section aria-label="Recent memories">
      <h2>Recent memories</h2>
      {memories.map(({ id, name }) => (
        <a key={id} class="item" href={linkTo('memories', id)} aria-current={id === openId ? 'page' : undefined}>
          <span class="one-line" title={name}>
            <bdi>{name}</bdi>
          </span>
        </a>
      ))}
    </section>
  )
}

const THEMES = {
  system: { label: 'Theme: system', icon: Monitor },
  light: { label: 'Theme: light', icon: Sun },
  dark: { label: 'Theme: dark', icon: Moon },
} as const
type Theme = keyof typeof THEMES
const STORED_THEME = 'recollect-theme'

/** Applies the chosen theme; without a choice, that of the system. */
export function applyTheme(): Theme {
  const stored = localStorage.getItem(STORED_THEME) ?? ''
  const theme = Object.hasOwn(THEMES, stored) ? (stored as Theme) : 'system'
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  return theme
}

function ThemeChoice() {
  const [theme, setTheme] = useState(applyTheme)
  const order = Object.keys(THEMES) as Theme[]
  const next = order[(order.indexOf(theme) + 1) % order.length] ?? 'system'
  return (
    <button
      type="button"
      class="item"
      title={`Change to ${next}`}
      onClick={() => {
        localStorage.setItem(STORED_THEME, next)
        setTheme(applyTheme())
      }}
    >
      <Icon of={THEMES[theme].icon} /> <span>{THEMES[theme].label}</span>
    </button>
  )
}

function SignOut() {
  const [error, setError] = useState<unknown>(null)
  return (
    <>
      {person.value !== null && (
        <p class="faint item">
          Signed in as <bdi>{person.value}</bdi>
        </p>
      )}
      <Notice error={error} />
      <button type="button" class="item" onClick={() => void signOut().catch(setError)}>
        <Icon of={LogOut} /> <span>Sign out</span>
      </button>
    </>
  )
}
