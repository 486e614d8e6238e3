import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GrayPage } from './gray-page.ts'
import { findSkew, isUnevenlyLit, listCells, surveyPage } from './survey-page.ts'

/** Bars of ink on paper, each as left, top, right, bottom. */
function paint(width: number, height: number, bars: readonly (readonly [number, number, number, number])[]): GrayPage {
  const data = new Uint8Array(width * height).fill(250)
  for (const [left, top, right, bottom] of bars)
    for (let y = top; y < bottom; y += 1) data.fill(10, y * width + left, y * width + right)
  return { data, width, height }
}

test('finds the ink of a large page with a few words', async () => {
  const letters = Array.from({ length: 30 }, (_, at) => [100 + at * 14, 100, 108 + at * 14, 112] as const)
  const { shades, findLetterHeight } = await surveyPage(paint(1200, 1100, letters))
  assert.equal(shades.paper, 250)
  assert.ok(shades.ink < 80, String(shades.ink))
  assert.equal(findLetterHeight(), 12)
})

test('very thick strokes on white are dark on light', async () => {
  const strokes = Array.from({ length: 5 }, (_, at) => [40 + at * 100, 20, 90 + at * 100, 200] as const)
  const page = paint(560, 220, strokes)
  assert.equal((await surveyPage(page)).isDark, false)
  assert.equal((await surveyPage({ ...page, data: page.data.map((value) => 255 - value) })).isDark, true)
})

/** Small bars on paper; position determines both shades. */
function paintCells(paper: (x: number, y: number) => number, ink: (x: number, y: number) => number): GrayPage {
  const [width, height] = [640, 480]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) data[y * width + x] = y % 24 < 8 && x % 9 < 5 ? ink(x, y) : paper(x, y)
  return { data, width, height }
}

test('a page with a shadow is unevenly lit; an even page, dark or light, is not', () => {
  const light = (x: number) => 250 - (x * 150) / 640
  assert.ok(isUnevenlyLit(listCells(paintCells(light, (x) => light(x) / 4))))
  for (const paper of [250, 90]) {
    assert.equal(
      isUnevenlyLit(
        listCells(
          paintCells(
            () => paper,
            () => 20,
          ),
        ),
      ),
      false,
    )
  }
})

test('a page with a dark area or light text on a part is not unevenly lit', () => {
  const dark = (x: number) => x < 320
  assert.equal(
    isUnevenlyLit(
      listCells(
        paintCells(
          (x) => (dark(x) ? 30 : 250),
          (x) => (dark(x) ? 240 : 20),
        ),
      ),
    ),
    false,
  )
  assert.equal(
    isUnevenlyLit(
      listCells(
        paintCells(
          (x) => (dark(x) ? 120 : 250),
          (x) => (dark(x) ? 240 : 20),
        ),
      ),
    ),
    false,
  )
})

/**
 * Ink of 20 lines of text as dots, rotated clockwise by `degrees`: some ascenders, all on the base
 * line.
 */
function paintLines(degrees: number) {
  const slope = Math.tan((degrees * Math.PI) / 180)
  let seed = 11
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const dots = Array.from({ length: 12_000 }, () => {
    const along = draw(800)
    const rise = draw(3) === 0 ? draw(18) : draw(12)
    return { along, across: Math.round(400 + draw(20) * 40 - rise + along * slope) }
  })
  return { along: Uint16Array.from(dots, (dot) => dot.along), across: Uint16Array.from(dots, (dot) => dot.across) }
}

test('finds the skew to a tenth of a degree', () => {
  for (const degrees of [-12, -5, -1.5, 0, 0.7, 3]) {
    const { degrees: found, score } = findSkew(paintLines(degrees))
    assert.ok(Math.abs(found + degrees) <= 0.1, `${degrees}: ${found}`)
    assert.ok(score > 0.1)
  }
})

test('the lean is upwards for upright lines, downwards for upside-down lines', () => {
  const upright = paintLines(0)
  assert.ok(findSkew(upright).lean > 1.05)
  const turned = { along: upright.along, across: upright.across.map((across) => 2000 - across) }
  assert.ok(findSkew(turned).lean < 0.95)
})

test('dots without lines have no skew', () => {
  let seed = 5
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const dots = Array.from({ length: 500 }, () => ({ along: draw(800), across: draw(600) }))
  const points = {
    along: Uint16Array.from(dots, (dot) => dot.along),
    across: Uint16Array.from(dots, (dot) => dot.across),
  }
  assert.equal(findSkew(points).degrees, 0)
})

test('a stroke across level lines does not change the skew', () => {
  const { along, across } = paintLines(0)
  const stroke = Array.from({ length: 2400 }, (_, at) => at / 3)
  const points = {
    along: Uint16Array.from([...along, ...stroke]),
    across: Uint16Array.from([...across, ...stroke.map((at) => 700 + at * Math.tan((8 * Math.PI) / 180))]),
  }
  assert.equal(findSkew(points).degrees, 0)
})

test('a few dots are not enough for a skew', () => {
  const { along, across } = paintLines(3)
  assert.deepEqual(findSkew({ along: along.subarray(0, 50), across: across.subarray(0, 50) }), {
    degrees: 0,
    score: 0,
    lean: 1,
  })
})

test('two lines of letters show whether they lie on their side', async () => {
  const letters = [40, 90].flatMap((y) =>
    Array.from({ length: 24 }, (_, at) => [40 + at * 14, y, 49 + at * 14, y + 12] as const),
  )
  const upright = (await surveyPage(paint(420, 140, letters))).findLines()
  assert.deepEqual([upright.isOnSide, upright.hasLines], [false, true])
  const side = letters.map(([left, top, right, bottom]) => [top, left, bottom, right] as const)
  const turned = (await surveyPage(paint(140, 420, side))).findLines()
  assert.equal(turned.isOnSide, true)
  assert.deepEqual(
    turned.turns.toSorted((a, b) => a - b),
    [90, 270],
  )
})
