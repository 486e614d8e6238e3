import type { IconNode } from 'lucide'
import { h } from 'preact'

/** Icon of 16 px in the colour of the text. Hidden from screen readers without a `label`. */
export function Icon({ of, label }: { of: IconNode; label?: string }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: a label names it; without one it repeats the text beside it
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {of.map(([tag, attributes]) => h(tag, attributes as object))}
    </svg>
  )
}
