import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Form } from './form.tsx'
import { Modal } from './modal.tsx'

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
