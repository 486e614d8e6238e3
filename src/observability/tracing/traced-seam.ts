import type { Tracing } from './tracing.ts'

type Call = (...given: unknown[]) => unknown

/** The same seam, the functions named in `spans` each under a span of that name; the seam itself where nothing is traced. */
export function tracedSeam<Seam extends object>(
  { isOn, within }: Tracing,
  seam: Seam,
  spans: { readonly [Name in keyof Seam]?: string },
): Seam {
  if (!isOn) return seam
  const calls = Object.entries(spans) as [keyof Seam & string, string][]
  const traced = calls.map(([name, span]) => {
    const call = seam[name] as Call
    return [name, (...given: unknown[]) => within(span, () => call.apply(seam, given))]
  })
  return { ...seam, ...Object.fromEntries(traced) }
}
