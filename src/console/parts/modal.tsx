import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** A window over the page. Escape closes it, a wide one, which holds nothing typed, also a click beside it; the keyboard stays inside. */
export function Modal({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string
  onClose: () => void
  wide?: boolean
  children: ComponentChildren
}) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    element.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
    return () => (before instanceof HTMLElement ? before.focus() : undefined)
  }, [])
  return (
    <dialog
      ref={element}
      class={wide ? 'modal wide' : 'modal'}
      aria-labelledby={heading}
      onClose={onClose}
      {...{ closedby: wide ? 'any' : 'closerequest' }}
    >
      <header>
        <h2 id={heading} dir="auto">
          {title}
        </h2>
        <button type="button" class="plain" aria-label="Close" onClick={() => element.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  )
}
