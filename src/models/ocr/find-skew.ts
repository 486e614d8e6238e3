/** Places of ink, one entry a point: along the lines and across them, in pixels. */
export type InkPoints = { along: Uint16Array; across: Uint16Array }

/** Degrees of skew that are looked for: a page that was laid on the glass, or photographed, by hand. */
const REACH = 15
const STEPS = [1, 0.2, 0.05] as const
/** Less is no skew, and the engine reads it well. In degrees. */
const MIN_DEGREES = 0.2
/** Lines that lie askew by more than a little are so many times as jagged once they are level, in many steps; seen were 6 and more, and 1.1 on level pages. */
const MIN_GAIN = 1.5
const SMALL_DEGREES = 1
/** Fewer points form lines by chance. */
const MIN_POINTS = 200

/** How lines of text lie. */
type Skew = {
  /** The clockwise turn that levels them, 0 where they are level or nothing can be said. */
  degrees: number
  /** About 1 and more for lines of text, near 0 for ink without lines. */
  score: number
  /**
   * Above 1 where lines end more sharply than they begin, as upright Latin text does: all letters stand on the base line, and more of
   * them rise above the others than hang below. Its inverse for text that stands on its head.
   */
  lean: number
}

/**
 * The direction in which lines of text lie level: where the profile of ink across them is most jagged (Postl's criterion).
 */
export function findSkew(points: InkPoints): Skew {
  if (points.along.length < MIN_POINTS) return { degrees: 0, score: 0, lean: 1 }
  const asItIs = { degrees: 0, ...measureAt(points, 0) }
  let best = asItIs
  let reach: number = REACH
  for (const step of STEPS) {
    const centre = best.degrees
    for (let degrees = centre - reach; degrees <= centre + reach + step / 2; degrees += step) {
      const measured = measureAt(points, degrees)
      if (measured.score > best.score) best = { degrees, ...measured }
    }
    reach = step
  }
  const isSure = Math.abs(best.degrees) <= SMALL_DEGREES || best.spread >= asItIs.spread * MIN_GAIN
  const { spread: _, ...level } = isSure ? best : asItIs
  return { ...level, degrees: Math.abs(level.degrees) < MIN_DEGREES ? 0 : level.degrees }
}

/** A single step of the profile counts no more for `spread`, as a multiple of the ink that a level has on average: a drawn stroke is one enormous step, lines of text are many. */
const MAX_STEP = 2

/** How jagged the profile is after a clockwise turn by so many degrees, whatever the amount of ink, in all and by many steps, and which way. */
function measureAt({ along, across }: InkPoints, degrees: number): { score: number; spread: number; lean: number } {
  const slope = Math.tan((degrees * Math.PI) / 180)
  const levels = new Int32Array(along.length)
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let at = 0; at < levels.length; at += 1) {
    const level = Math.round((across[at] ?? 0) + (along[at] ?? 0) * slope)
    levels[at] = level
    if (level < low) low = level
    if (level > high) high = level
  }
  const profile = new Uint32Array(high - low + 3)
  for (const level of levels) profile[level - low + 1] = (profile[level - low + 1] ?? 0) + 1
  const most = (MAX_STEP * along.length) / (high - low + 1)
  let rising = 0
  let falling = 0
  let spread = 0
  for (let at = 1; at < profile.length; at += 1) {
    const step = (profile[at] ?? 0) - (profile[at - 1] ?? 0)
    if (step > 0) rising += step ** 2
    else falling += step ** 2
    spread += Math.min(Math.abs(step), most) ** 2
  }
  const scale = (high - low + 1) / along.length ** 2
  return { score: (rising + falling) * scale, spread: spread * scale, lean: falling / rising }
}
