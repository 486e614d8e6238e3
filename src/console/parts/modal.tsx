import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { copyText } from './copy-as.tsx'
import { Form } from './form.tsx'
import { Icon } from './icon.tsx'

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
        <button type="button" class="plain square small" aria-label="Close" onClick={() => element.current?.close()}>
          <Icon of={X} />
        </button>
      </header>
      <div class="body">{children}</div>
    </dialog>
  )
}

type DeletionProps = {
  title: string
  /** Names what is deleted, what stays, and the time of the erasure. */
  warning: ComponentChildren
  /** Label of the button, such as "Delete 3 documents". */
  label: string
  /** Name to type before the button works, where documents go as well. */
  typedName?: string
  action: () => Promise<void>
  onClose: () => void
}

/** Confirmation of a deletion. Closes after the action; an error stays in the dialog. */
export function Deletion({ title, warning, label, typedName, action, onClose }: DeletionProps) {
  const [typed, setTyped] = useState('')
  async function act() {
    await action()
    onClose()
  }
  return (
    <Modal title={title} onClose={onClose}>
      <div>{warning}</div>
      <Form
        label={label}
        look="danger"
        isReady={typedName === undefined || typed.trim() === typedName.trim()}
        onCancel={onClose}
        action={act}
      >
        {typedName !== undefined && (
          <label>
            <span>
              Type <bdi>{typedName}</bdi> to confirm
            </span>
            <input
              dir="auto"
              autocomplete="off"
              spellcheck={false}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
        )}
      </Form>
    </Modal>
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
    await copyText(secret)
    setCopied(true)
  }
  return (
    <Modal title={title} onClose={onClose}>
      <p>{children}</p>
      <p>
        <code class="key">{secret}</code>
      </p>
      <Form label={isCopied ? 'Copied' : 'Copy'} action={copy} />
    </Modal>
  )
}
