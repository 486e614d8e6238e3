/** Maps a prepared page to the original picture: `x = a·x' + c·y' + e`, `y = b·x' + d·y' + f`. */
export type Placement = { a: number; b: number; c: number; d: number; e: number; f: number }

export type Size = { width: number; height: number }
export type Box = [x: number, y: number, width: number, height: number]

/** The identity. */
export const IN_PLACE: Placement = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }

/** Placement of a page that was scaled from one size to another. */
export function placeScaled(placement: Placement, from: Size, to: Size): Placement {
  const step = { ...IN_PLACE, a: from.width / to.width, d: from.height / to.height }
  return compose(placement, step)
}

/**
 * Placement of a page that was rotated clockwise about its centre, with a canvas large enough for
 * the result.
 */
export function placeTurned(placement: Placement, degrees: number, { from, to }: { from: Size; to: Size }): Placement {
  const cos = Math.cos((degrees * Math.PI) / 180)
  const sin = Math.sin((degrees * Math.PI) / 180)
  const middle = { x: to.width / 2, y: to.height / 2 }
  const e = from.width / 2 - (cos * middle.x + sin * middle.y)
  const f = from.height / 2 - (-sin * middle.x + cos * middle.y)
  return compose(placement, { a: cos, b: -sin, c: sin, d: cos, e, f })
}

/** The smallest upright box of whole pixels around a box of the page, clipped to the picture. */
export function placeBox({ a, b, c, d, e, f }: Placement, [x, y, width, height]: Box, bounds: Size): Box {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ] as const
  const xs = corners.map(([px, py]) => a * px + c * py + e)
  const ys = corners.map(([px, py]) => b * px + d * py + f)
  const left = clamp(Math.floor(Math.min(...xs) + SLACK), bounds.width)
  const top = clamp(Math.floor(Math.min(...ys) + SLACK), bounds.height)
  const right = clamp(Math.ceil(Math.max(...xs) - SLACK), bounds.width)
  const bottom = clamp(Math.ceil(Math.max(...ys) - SLACK), bounds.height)
  return [left, top, right - left, bottom - top]
}

/** Floating-point rounding must not widen a box by a pixel. */
const SLACK = 1e-6

function compose(outer: Placement, inner: Placement): Placement {
  return {
    a: outer.a * inner.a + outer.c * inner.b,
    b: outer.b * inner.a + outer.d * inner.b,
    c: outer.a * inner.c + outer.c * inner.d,
    d: outer.b * inner.c + outer.d * inner.d,
    e: outer.a * inner.e + outer.c * inner.f + outer.e,
    f: outer.b * inner.e + outer.d * inner.f + outer.f,
  }
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max)
}
