import { effect, signal } from '@preact/signals'
import { CircleCheck, X } from 'lucide'
import { Icon } from '../parts/icon.tsx'
import { apiKey } from '../session.ts'

/** Time a toast stays: long enough to read it and to reach its button. */
const SHOWN_MS = 6000

type Undo = () => unknown
type Toast = { id: number; text: string; undo: Undo | undefined; changed: ReadonlySet<string> }

const toasts = signal<readonly Toast[]>([])
let last = 0

/**
 * Reports what happened, with a button to undo it where that is possible. Earlier toasts that
 * changed one of the same things go: their undo would overwrite this change.
 */
export function showToast(text: string, undo?: Undo, changed: readonly string[] = []): void {
  last += 1
  const id = last
  const others = toasts.value.filter((toast) => !changed.some((thing) => toast.changed.has(thing)))
  toasts.value = [...others.slice(-2), { id, text, undo, changed: new Set(changed) }]
  setTimeout(() => hide(id), SHOWN_MS)
}

async function run(undo: Undo): Promise<void> {
  try {
    await undo()
  } catch (error) {
    showToast(error instanceof Error ? error.message : String(error))
  }
}

function hide(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

// The next user must not see what this one did.
effect(() => {
  if (apiKey.value === null) toasts.value = []
})

/** Shown toasts, read out politely. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-label="Messages">
      {toasts.value.map(({ id, text, undo }) => (
        <div key={id} class="toast">
          <Icon of={CircleCheck} />
          <span>{text}</span>
          {undo !== undefined && (
            <button
              type="button"
              class="small"
              onClick={() => {
                hide(id)
                void run(undo)
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="plain square small" aria-label="Dismiss" onClick={() => hide(id)}>
            <Icon of={X} />
          </button>
        </div>
      ))}
    </div>
  )
}
