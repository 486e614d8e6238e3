import { signal } from '@preact/signals'
import { BookOpen, CornerDownLeft, Database, FileText, type IconNode, Plus, Search } from 'lucide'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import type { MemoryDocument } from '../../client/resources.ts'
import { useLoad } from '../hooks.ts'
import { recentMemories } from '../memory-list.ts'
import { Icon } from '../parts/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import { linkTo, route } from '../route.ts'
import { client, mayAdminister, mayOrganize } from '../session.ts'
import { MEMORY_TABS } from '../views/memory-tabs.ts'
import { listPlaces } from './side-bar.tsx'

const isOpen = signal(false)

/** Opens the command bar: memories, documents, places, actions and documentation by name. */
export function openCommands(): void {
  isOpen.value = true
}

type Command = { group: string; label: string; hint?: string; icon: IconNode; href: string }

const MAX_OF_GROUP = 6
const TYPING_MS = 120

/** The command bar, while it is open. `Ctrl K` opens it anywhere. */
export function CommandBar() {
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      isOpen.value = true
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return isOpen.value ? <Dialog /> : null
}

function Dialog() {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { commands, isPending } = useCommands(text.trim())
  const [isEntered, setEntered] = useState(false)
  const chosen = commands[Math.min(at, commands.length - 1)]
  useEffect(() => element.current?.showModal(), [])
  useEffect(() => element.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [at])
  // Enter before any result acts on the first one, once all are known.
  useEffect(() => {
    if (!isEntered || isPending) return
    setEntered(false)
    if (chosen) run(chosen)
  }, [isEntered, isPending])
  function run(command: Command) {
    element.current?.close()
    location.assign(command.href)
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((at + step + commands.length) % Math.max(1, commands.length))
    else if (event.key === 'Enter' && chosen) run(chosen)
    else if (event.key === 'Enter') setEntered(true)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={element}
      class="modal command-bar"
      aria-label="Command bar"
      onClose={() => (isOpen.value = false)}
      onKeyDown={onKeyDown}
      {...{ closedby: 'any' }}
    >
      <div class="with-icon">
        <Icon of={Search} />
        <input
          role="combobox"
          aria-label="Go to"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={chosen && `${id}-${commands.indexOf(chosen)}`}
          autocomplete="off"
          spellcheck={false}
          placeholder="Memories, documents, places, documentation …"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
            setEntered(false)
          }}
        />
      </div>
      <Options id={id} commands={commands} isPending={isPending} chosen={chosen} onRun={run} />
    </dialog>
  )
}

type OptionsProps = {
  id: string
  commands: readonly Command[]
  isPending: boolean
  chosen: Command | undefined
  onRun: (command: Command) => void
}

function Options({ id, commands, isPending, chosen, onRun }: OptionsProps) {
  return (
    <div id={id} class="options" {...(commands.length === 0 ? {} : { role: 'listbox', 'aria-label': 'Results' })}>
      {commands.length === 0 && <p class="group">{isPending ? 'Searching …' : 'Nothing has this name.'}</p>}
      {commands.map((command, index) => (
        <>
          {command.group !== commands[index - 1]?.group && (
            <div key={command.group} class="group" role="presentation">
              {command.group}
            </div>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys */}
          <div
            key={command.group + command.href}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            onClick={() => onRun(command)}
          >
            <Icon of={command.icon} />
            <span class="one-line">
              <bdi>{command.label}</bdi>
            </span>
            {command.hint !== undefined && (
              <span class="faint one-line">
                <bdi>{command.hint}</bdi>
              </span>
            )}
            {command === chosen && <Icon of={CornerDownLeft} />}
          </div>
        </>
      ))}
    </div>
  )
}

/**
 * Commands for the text, by group. What was found for an earlier text stays only if its name has
 * every word of this one. `isPending` is true while the service searches for this text.
 */
function useCommands(text: string): { commands: readonly Command[]; isPending: boolean } {
  const known = useMemo(listKnown, [])
  const words = text.toLowerCase().split(/\s+/)
  const isNamed = ({ label, group }: Command) => words.every((word) => `${group} ${label}`.toLowerCase().includes(word))
  const groups = Map.groupBy(known.filter(isNamed), ({ group }) => group)
  const searches = [
    useLoad(async (stop) => ({ text, found: await findDocuments(text, stop).catch(() => []) }), [text]),
    useLoad(async () => ({ text, found: await findPages(text).catch(() => []) }), [text]),
  ]
  const found = searches.flatMap(({ value }) =>
    value?.text === text ? value.found : (value?.found.filter((command) => text !== '' && isNamed(command)) ?? []),
  )
  return {
    commands: [...[...groups.values()].flatMap((commands) => commands.slice(0, MAX_OF_GROUP)), ...found],
    isPending: searches.some(({ value }) => value?.text !== text),
  }
}

function listKnown(): readonly Command[] {
  const [place, id] = route.peek().parts
  const open = place === 'memories' ? id : undefined
  const tabs = open === undefined ? [] : Object.entries(MEMORY_TABS)
  return [
    ...tabs.map(([tab, { name, icon }]) => ({
      group: 'This memory',
      label: name,
      icon,
      href: linkTo('memories', open ?? '', tab),
    })),
    ...recentMemories.peek().map((memory) => ({
      group: 'Memories',
      label: memory.name,
      icon: Database,
      href: linkTo('memories', memory.id),
    })),
    ...listPlaces().map(([path, { name, icon }]) => ({ group: 'Places', label: name, icon, href: linkTo(path) })),
    ...(mayOrganize.peek() ? [{ group: 'Actions', label: 'New memory', icon: Plus, href: '#/memories?new=1' }] : []),
    ...(mayAdminister.peek() ? [{ group: 'Actions', label: 'New key', icon: Plus, href: '#/keys?new=1' }] : []),
  ]
}

/** Documents of the open memory, or of the last opened ones, by title. */
async function findDocuments(text: string, stop: AbortSignal): Promise<readonly Command[]> {
  if (text.length < 2) return []
  await new Promise((resolve) => setTimeout(resolve, TYPING_MS))
  if (stop.aborted) return []
  const [place, open] = route.peek().parts
  const inside =
    place === 'memories' && open !== undefined
      ? [open]
      : recentMemories
          .peek()
          .slice(0, 3)
          .map(({ id }) => id)
  const lists = await Promise.all(
    inside.map((id) => client.peek().documents.listPage(id, { title: text, limit: MAX_OF_GROUP }, { signal: stop })),
  )
  const names = new Map(recentMemories.peek().map(({ id, name }) => [id, name]))
  return lists
    .flatMap(({ documents }) => documents)
    .slice(0, MAX_OF_GROUP)
    .map(({ memoryId, id, title }: MemoryDocument) => ({
      group: 'Documents',
      label: title,
      hint: names.get(memoryId) ?? '',
      icon: FileText,
      href: linkTo('memories', memoryId, 'documents', id),
    }))
}

type DocsSearch = {
  loadPlaces: () => Promise<unknown>
  findPlaces: (
    places: unknown,
    query: string,
    limit: number,
  ) => readonly { href: string; title: string; heading: string }[]
}

/** Sections of the documentation, found by the search of the documentation itself. */
async function findPages(text: string): Promise<readonly Command[]> {
  if (text.length < 2) return []
  const path = '/docs/site/find-places.js'
  const { loadPlaces, findPlaces } = (await import(path)) as DocsSearch
  return findPlaces(await loadPlaces(), text, MAX_OF_GROUP).map(({ href, title, heading }) => ({
    group: 'Documentation',
    label: heading,
    hint: title === heading ? '' : title,
    icon: BookOpen,
    href,
  }))
}

const areKeysShown = signal(false)

/** Keys that work in every view. */
const KEYS = [
  ['Ctrl K', 'Go to a memory, document, place or page of the documentation'],
  ['/', 'Search in this view'],
  ['↑ ↓', 'Move through hits, rows and menus'],
  ['Enter', 'Open what is selected'],
  ['Escape', 'Close a pane, menu or dialog'],
  ['?', 'Show these keys'],
] as const

/** The list of keys, while it is open; and the keys `/` and `?`. */
export function KeyboardKeys() {
  useEffect(() => {
    addEventListener('keydown', act)
    return () => removeEventListener('keydown', act)
  }, [])
  if (!areKeysShown.value) return null
  return (
    <Modal title="Keys" onClose={() => (areKeysShown.value = false)}>
      <dl class="keys-list">
        {KEYS.map(([key, meaning]) => (
          <>
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>
            <dd key={meaning}>{meaning}</dd>
          </>
        ))}
      </dl>
    </Modal>
  )
}

function act(event: KeyboardEvent): void {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, dialog *')
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === '?') areKeysShown.value = true
  else if (event.key === '/') {
    const field = document.querySelector<HTMLInputElement>('main [data-focus], main input[type=search]')
    if (field === null) return
    event.preventDefault()
    field.focus()
    field.select()
  }
}
