import { Search } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'

/** Form that shows progress in its button, and errors above it. */
export function Form({
  action,
  label,
  look = 'primary',
  clears = false,
  isReady = true,
  onCancel,
  children,
}: {
  action: (fields: FormData) => Promise<void>
  label: string
  /** `quiet` for a form in a table row. */
  look?: 'primary' | 'normal' | 'quiet' | 'danger'
  /** Clears the fields after success, for the next input. */
  clears?: boolean
  /** False while the input does not allow to send the form. */
  isReady?: boolean
  /** Closes the dialog of the form; adds a button for it. */
  onCancel?: () => void
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
  const submitButton = (
    <button type="submit" class={look} disabled={isBusy || !isReady}>
      {isBusy ? 'Please wait …' : label}
    </button>
  )
  return (
    <form onSubmit={(event) => void submit(event as unknown as SubmitEvent)}>
      {children}
      <Notice error={error} />
      {onCancel === undefined ? (
        submitButton
      ) : (
        <div class="row end">
          <button type="button" class="quiet" onClick={onCancel}>
            Cancel
          </button>
          {submitButton}
        </div>
      )}
    </form>
  )
}

/** Returns the trimmed value of a form field. */
export function textOf(fields: FormData, name: string): string {
  return String(fields.get(name) ?? '').trim()
}

type SearchFieldProps = { label: string; value: string; onInput: (value: string) => void }

/** Field that narrows a list while the user types. The label is also the placeholder. */
export function SearchField({ label, value, onInput }: SearchFieldProps) {
  return (
    <label class="with-icon">
      <Icon of={Search} />
      <input
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}
