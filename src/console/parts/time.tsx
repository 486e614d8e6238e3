import { formatTime } from '../format.ts'

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** Time in words, such as `3 hours ago`; the exact time shows on hover. A dash without a time. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <>–</>
  return (
    <time dateTime={at} title={formatTime(at)}>
      {inWords(Math.round((Date.parse(at) - Date.now()) / 1000))}
    </time>
  )
}

function inWords(seconds: number): string {
  const [unit, length] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 0]
  return length === 0 ? (seconds > 0 ? 'in a moment' : 'just now') : words.format(Math.trunc(seconds / length), unit)
}
