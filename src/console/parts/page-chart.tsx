import { formatCount } from '../format.ts'

/** What may become of a page, and what it is called. */
export const METHODS = { text: 'text', ocr: 'recognised', empty: 'empty', failed: 'failed' } as const

/** Pages by what became of them, as one bar in shares with a legend in words; nothing where there are none. */
export function PageChart({ counts }: { counts: Readonly<Record<keyof typeof METHODS, number>> }) {
  const parts = Object.entries(METHODS)
    .map(([method, label]) => ({ method, label, count: counts[method as keyof typeof METHODS] }))
    .filter(({ count }) => count > 0)
  const total = sumOf(parts)
  if (total === 0) return null
  const summary = parts.map(({ label, count }) => `${count} ${label}`).join(', ')
  return (
    <figure class="chart">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={summary}>
        {parts.map(({ method, count }, index) => {
          const x = (sumOf(parts.slice(0, index)) / total) * 100
          return <rect key={method} class={method} x={x} width={(count / total) * 100} y="0" height="6" />
        })}
      </svg>
      <figcaption>
        {parts.map(({ method, label, count }) => (
          <span key={method}>
            <i class={method} aria-hidden="true" /> {formatCount(count)} {label}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

function sumOf(parts: readonly { count: number }[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}
