import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Form } from './form.tsx'

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

/** A button for what cannot be taken back: it says first what will be gone. */
export function Confirmed({
  label,
  title,
  warning,
  action,
}: {
  label: string
  title: string
  warning: ComponentChildren
  action: () => Promise<void>
}) {
  const [isAsking, setAsking] = useState(false)
  async function act() {
    await action()
    setAsking(false)
  }
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking && (
        <Modal title={title} onClose={() => setAsking(false)}>
          <p>{warning}</p>
          <Form label={label} look="danger" action={act} />
        </Modal>
      )}
    </>
  )
}

/** Shows what is shown once, to be copied. */
export function Secret({
  title,
  children,
  secret,
  onClose,
}: {
  title: string
  /** What it is for, and that it does not come again. */
  children: string
  secret: string
  onClose: () => void
}) {
  const [isCopied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(secret)
    setCopied(true)
  }
  return (
    <Modal title={title} onClose={onClose}>
      <p>{children}</p>
      <p>
        <code class="key">{secret}</code>
      </p>
      {/* Browsers have a clipboard for pages of this machine and of https alone; a click selects all of it. */}
      {window.isSecureContext ? (
        <Form label={isCopied ? 'Copied' : 'Copy'} action={copy} />
      ) : (
        <p>Select and copy it.</p>
      )}
    </Modal>
  )
}
