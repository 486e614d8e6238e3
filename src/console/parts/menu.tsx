import { Ellipsis, type IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** Entry of a menu: a link or an action. */
export type MenuEntry = {
  label: string
  icon: IconNode
  isDanger?: boolean
} & ({ href: string } | { onSelect: () => void })

/** Distance of a menu from its button and from the edges of the window, in pixels. */
const GAP = 4

/** Button that opens a menu, by default the three dots at the end of a row. */
export function Menu({
  label,
  entries,
  children,
  look = 'plain square small',
}: {
  label: string
  entries: readonly MenuEntry[]
  children?: ComponentChildren
  look?: string
}) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    <>
      <button
        ref={button}
        type="button"
        class={look}
        title={children === undefined ? label : ''}
        {...(children === undefined ? { 'aria-label': label } : {})}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children ?? <Icon of={Ellipsis} />}
      </button>
      {isOpen && <Entries id={id} label={label} entries={entries} button={button} onClose={() => setOpen(false)} />}
    </>
  )
}

type EntriesProps = {
  id: string
  label: string
  entries: readonly MenuEntry[]
  button: { current: HTMLButtonElement | null }
  onClose: () => void
}

function Entries({ id, label, entries, button, onClose }: EntriesProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [menu, from] = [list.current, button.current?.getBoundingClientRect()]
    if (menu === null || from === undefined) return
    menu.showPopover()
    const { width, height } = menu.getBoundingClientRect()
    const below = from.bottom + GAP
    const isBelow = below + height < innerHeight
    menu.style.left = `${Math.max(GAP, Math.min(from.right - width, innerWidth - width - GAP))}px`
    menu.style.top = `${isBelow ? below : Math.max(GAP, from.top - height - GAP)}px`
    menu.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [])
  function choose(entry: MenuEntry) {
    onClose()
    button.current?.focus()
    if ('onSelect' in entry) entry.onSelect()
  }
  function move(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    items.at((at + step) % items.length)?.focus()
  }
  return (
    <div
      ref={list}
      id={id}
      class="menu"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      popover="auto"
      onKeyDown={move}
      onToggle={(event) => (event as unknown as ToggleEvent).newState === 'closed' && onClose()}
    >
      {entries.map((entry) =>
        'href' in entry ? (
          <a key={entry.label} role="menuitem" href={entry.href} onClick={() => choose(entry)}>
            <Icon of={entry.icon} /> {entry.label}
          </a>
        ) : (
          <button
            key={entry.label}
            type="button"
            role="menuitem"
            class={entry.isDanger ? 'danger' : ''}
            onClick={() => choose(entry)}
          >
            <Icon of={entry.icon} /> {entry.label}
          </button>
        ),
      )}
    </div>
  )
}
