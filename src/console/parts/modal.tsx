import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Form } from './form.tsx'

/**
 * Modal dialog. Escape closes it; a wide dialog, which has no input, also closes on a click
 * outside. Keyboard focus stays inside.
 */
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

/** Button for an action that cannot be undone, with a confirmation. */
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

/** Shows a secret once, with a copy button. */
export function Secret({
  title,
  children,
  secret,
  onClose,
}: {
  title: string
  /** Purpose of the secret, and the note that it is shown only once. */
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
      {/* Browsers offer the clipboard only on localhost and HTTPS. A click selects the text. */}
      {window.isSecureContext ? (
        <Form label={isCopied ? 'Copied' : 'Copy'} action={copy} />
      ) : (
        <p>Select the text and copy it.</p>
      )}
    </Modal>
  )
}
