import { ChevronLeft, ChevronRight } from 'lucide'
import { Icon } from './icon.tsx'

type StepperProps = { what: string; label: string; at: number; count: number; onMove: (at: number) => void }

/** Buttons for the previous and the next of several things, with the place among them. */
export function Stepper({ what, label, at, count, onMove }: StepperProps) {
  return (
    <div class="stepper">
      <button
        type="button"
        class="plain square small"
        aria-label={`Previous ${what}`}
        disabled={at <= 0}
        onClick={() => onMove(at - 1)}
      >
        <Icon of={ChevronLeft} />
      </button>
      <span role="status">{label}</span>
      <button
        type="button"
        class="plain square small"
        aria-label={`Next ${what}`}
        disabled={at >= count - 1}
        onClick={() => onMove(at + 1)}
      >
        <Icon of={ChevronRight} />
      </button>
    </div>
  )
}
