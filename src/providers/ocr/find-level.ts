/** Places of ink, one entry a point: along the lines and across them, in pixels. */
export type InkPoints = { along: Uint16Array; across: Uint16Array }

/** Degrees of skew that are looked for: a page that was laid on the glass by hand. */
const REACH = 8
const STEPS = [1, 0.2, 0.05] as const
/** Less is no skew, and the engine reads it well. In degrees. */
const MIN_DEGREES = 0.2
/** Fewer points form lines by chance. */
const MIN_POINTS = 200

/**
 * The direction in which lines of text lie level: where the profile of ink across them is most jagged (Postl's criterion).
 * `degrees` is the clockwise turn that levels them, 0 where they are level or nothing can be said. `score` is about 1 and more for
 * lines of text, near 0 for ink without lines.
 */
export function findLevel(points: InkPoints): { degrees: number; score: number } {
  if (points.along.length < MIN_POINTS) return { degrees: 0, score: 0 }
  let best = { degrees: 0, score: scoreAt(points, 0) }
  let reach: number = REACH
  for (const step of STEPS) {
    const centre = best.degrees
    for (let degrees = centre - reach; degrees <= centre + reach + step / 2; degrees += step) {
      const score = scoreAt(points, degrees)
      if (score > best.score) best = { degrees, score }
    }
    reach = step
  }
  return { ...best, degrees: Math.abs(best.degrees) < MIN_DEGREES ? 0 : best.degrees }
}

/** How jagged the profile is after a clockwise turn by so many degrees, whatever the amount of ink. */
function scoreAt({ along, across }: InkPoints, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180)
  const levels = Int32Array.from(across, (value, at) => Math.round(value + (along[at] ?? 0) * slope))
  const low = levels.reduce((least, level) => Math.min(least, level))
  const high = levels.reduce((most, level) => Math.max(most, level))
  const profile = new Uint32Array(high - low + 3)
  for (const level of levels) profile[level - low + 1] = (profile[level - low + 1] ?? 0) + 1
  let jagged = 0
  for (let at = 1; at < profile.length; at += 1) jagged += ((profile[at] ?? 0) - (profile[at - 1] ?? 0)) ** 2
  return (jagged * (high - low + 1)) / along.length ** 2
}
