import { useState } from 'preact/hooks'
import { Form } from './form.tsx'
import { Modal } from './modal.tsx'

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
