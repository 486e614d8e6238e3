import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Notice } from './notice.tsx'

/** A form that says what it is doing: its button waits, and what goes wrong stands above it. */
export function Form({
  action,
  label,
  look = 'primary',
  clears = false,
  children,
}: {
  action: (fields: FormData) => Promise<void>
  label: string
  /** `quiet` for what stands beside a row of a list. */
  look?: 'primary' | 'quiet' | 'danger'
  /** True: its fields are empty again when all went well, for the next one. */
  clears?: boolean
  children?: ComponentChildren
}) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    setBusy(true)
    setError(null)
    try {
      await action(new FormData(form))
      if (clears) form.reset()
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void submit(event as unknown as SubmitEvent)}>
      {children}
      <Notice error={error} />
      <button type="submit" class={look} disabled={isBusy}>
        {isBusy ? 'One moment …' : label}
      </button>
    </form>
  )
}

/** What a form's field holds, without white space around it. */
export function textOf(fields: FormData, name: string): string {
  return String(fields.get(name) ?? '').trim()
}
