import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GrayPage } from './gray-page.ts'
import type { ReadOnce } from './read-layout.ts'
import { recognizePage } from './recognize-page.ts'

/** White paper with lines of black boxes, like text from a distance. */
function paintPage(width = 600, height = 400): GrayPage {
  const data = new Uint8Array(width * height).fill(255)
  for (let y = 40; y < height - 40; y += 1)
    for (let x = 40; x < width - 40; x += 1) if (y % 30 < 12 && x % 11 < 6) data[y * width + x] = 0
  return { data, width, height }
}

/** Words with an ascender, so that the page does not look rotated. */
function paintUpright(): GrayPage {
  const page = paintPage()
  page.data.fill(255)
  for (let y = 40; y < 360; y += 1)
    for (let x = 40; x < 560; x += 1) {
      const at = x + 7 * Math.floor(y / 30) ** 2
      const isInk = y % 30 < 20 && at % 37 < (y % 30 >= 10 ? 31 : 6)
      if (isInk) page.data[y * page.width + x] = 0
    }
  return page
}

/** The same amount of ink in squares, with as many lines along as across. */
function paintChecks(): GrayPage {
  const page = paintPage()
  page.data.fill(255)
  for (let y = 40; y < 360; y += 1)
    for (let x = 40; x < 560; x += 1) if ((y + 5) % 30 < 15 && (x + 5) % 30 < 15) page.data[y * page.width + x] = 0
  return page
}

/** An engine that returns one word, with the confidence that `judge` returns for the page. */
function fakeEngine(judge: (page: GrayPage, call: number) => number) {
  const seen: GrayPage[] = []
  const ways: Parameters<ReadOnce>[1][] = []
  const readOnce: ReadOnce = async (page, way) => {
    seen.push(page)
    ways.push(way)
    return `5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t${judge(page, seen.length)}\tSomething`
  }
  return { seen, ways, readOnce }
}

test('a blank page is not read at all', async () => {
  const { seen, readOnce } = fakeEngine(() => 90)
  const page = { data: new Uint8Array(240_000).fill(250), width: 600, height: 400 }
  for (let at = 0; at < page.data.length; at += 1) page.data[at] = 235 + ((at * 7919) % 20)
  page.data[5000] = 0
  assert.equal(await recognizePage({ page, dpi: null, mode: 'accurate' }, readOnce), null)
  assert.equal(seen.length, 0)
})

test('a page with high confidence is read once', async () => {
  for (const mode of ['fast', 'accurate'] as const) {
    const { seen, readOnce } = fakeEngine(() => 95)
    const reading = await recognizePage({ page: paintPage(), dpi: null, mode }, readOnce)
    assert.equal(seen.length, 1)
    assert.deepEqual(reading?.blocks[0]?.bbox, [10, 20, 30, 40])
  }
})

test('accurate mode scales to 300 dpi and returns boxes of the original page', async () => {
  const { seen, readOnce } = fakeEngine(() => 95)
  const reading = await recognizePage({ page: paintPage(), dpi: 150, mode: 'accurate' }, readOnce)
  assert.deepEqual([seen[0]?.width, seen[0]?.height], [1200, 800])
  assert.deepEqual(reading?.blocks[0]?.bbox, [5, 10, 15, 20])
})

test('accurate mode reads an uncertain page again and keeps the better reading', async () => {
  const { seen, readOnce } = fakeEngine((_, call) => (call === 2 ? 75 : 60))
  const reading = await recognizePage({ page: paintPage(), dpi: 300, mode: 'accurate' }, readOnce)
  assert.ok(seen.length >= 2)
  assert.ok(Math.abs((reading?.confidence ?? 0) - 0.75) < 1e-9)
})

test('fast mode rotates a page with unreadable lines once, and a page without lines never', async () => {
  const lost = fakeEngine((_, call) => (call === 1 ? 28 : 95))
  const reading = await recognizePage({ page: paintUpright(), dpi: 150, mode: 'fast' }, lost.readOnce)
  assert.equal(lost.seen.length, 2)
  const [first, second] = lost.seen.map(({ data }) => Buffer.from(data))
  assert.ok(first !== undefined && second?.equals(first) === false)
  assert.ok((reading?.confidence ?? 0) > 0.9)
  const picture = fakeEngine(() => 28)
  await recognizePage({ page: paintChecks(), dpi: 150, mode: 'fast' }, picture.readOnce)
  assert.equal(picture.seen.length, 1)
})

test('fast mode rotates a sideways page the other way if the first reading is nonsense', async () => {
  const { data, width, height } = paintUpright()
  const side = { data: new Uint8Array(data.length), width: height, height: width }
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) side.data[(width - 1 - x) * height + y] = data[y * width + x] ?? 0
  for (const [words, passes] of [
    [12, 3],
    [2, 2],
  ] as const) {
    const { seen, readOnce } = fakeEngine((_, call) => (call < 3 ? 30 : 95))
    const readLines: ReadOnce = async (...page) =>
      Array(words)
        .fill(await readOnce(...page))
        .join('\n')
    const reading = await recognizePage({ page: side, dpi: 150, mode: 'fast' }, readLines)
    assert.equal(seen.length, passes)
    assert.equal((reading?.confidence ?? 0) > 0.9, passes === 3)
  }
})

test('a failure in a later pass returns the earlier reading', async () => {
  const { readOnce } = fakeEngine((_, call) => {
    if (call > 1) throw new Error('ended')
    return 60
  })
  const reading = await recognizePage({ page: paintPage(), dpi: 300, mode: 'accurate' }, readOnce)
  assert.equal(reading?.blocks[0]?.text, 'Something')
})

test('a failure in the first pass rejects', async () => {
  const { readOnce } = fakeEngine(() => {
    throw new Error('ended')
  })
  await assert.rejects(recognizePage({ page: paintPage(), dpi: 300, mode: 'fast' }, readOnce), /ended/)
})

test('light text on dark is inverted', async () => {
  const { seen, readOnce } = fakeEngine(() => 95)
  const page = paintPage()
  page.data = page.data.map((value) => 255 - value)
  await recognizePage({ page, dpi: null, mode: 'fast' }, readOnce)
  assert.equal(seen[0]?.data[0], 255)
})

test('small print is enlarged in both modes, large print is not', async () => {
  const page = paintPage()
  for (let y = 0; y < page.height; y += 1)
    for (let x = 0; x < page.width; x += 1)
      page.data[y * page.width + x] = x > 40 && x < 560 && y % 14 < 6 && x % 7 < 4 ? 0 : 255
  for (const mode of ['fast', 'accurate'] as const) {
    const small = fakeEngine(() => 95)
    await recognizePage({ page, dpi: null, mode }, small.readOnce)
    assert.equal(small.seen[0]?.width, 1600)
    const large = fakeEngine(() => 95)
    await recognizePage({ page: paintPage(), dpi: null, mode }, large.readOnce)
    assert.equal(large.seen[0]?.width, 600)
  }
})

test('a skewed page is deskewed before reading', async () => {
  const page = paintPage()
  const askew = {
    ...page,
    data: page.data.map((_, at) => {
      const [x, y] = [at % page.width, Math.floor(at / page.width)]
      return page.data[Math.max(0, Math.min(page.height - 1, Math.round(y - (x - 300) * 0.07))) * page.width + x] ?? 255
    }),
  }
  const { seen, readOnce } = fakeEngine(() => 95)
  await recognizePage({ page: askew, dpi: 300, mode: 'fast' }, readOnce)
  assert.ok((seen[0]?.width ?? 0) > page.width)
})

test('uneven light uses local thresholds', async () => {
  const page = paintPage()
  const lit = { ...page, data: page.data.map((value, at) => value * (1 - (0.6 * (at % page.width)) / page.width)) }
  for (const [given, light] of [
    [page, 'even'],
    [lit, 'uneven'],
  ] as const) {
    const { ways, readOnce } = fakeEngine(() => 95)
    await recognizePage({ page: given, dpi: 300, mode: 'fast' }, readOnce)
    assert.deepEqual(ways, [{ layout: 'auto', light, dpi: 144 }])
  }
})

test('a page with a table is read without its lines, as one column', async () => {
  const page = paintPage()
  for (const y of [20, 140, 260, 380]) page.data.fill(0, y * page.width + 20, y * page.width + 580)
  for (const x of [20, 204, 402, 579]) for (let y = 20; y <= 380; y += 1) page.data[y * page.width + x] = 0
  const { seen, ways, readOnce } = fakeEngine(() => 95)
  await recognizePage({ page, dpi: 300, mode: 'fast' }, readOnce)
  assert.equal(ways[0]?.layout, 'column')
  // Beside a table that covers less than most of the page, there may be columns of text.
  const large = { data: new Uint8Array(1200 * 800).fill(255), width: 1200, height: 800 }
  for (let y = 0; y < page.height; y += 1)
    large.data.set(page.data.subarray(y * page.width, (y + 1) * page.width), y * large.width)
  const beside = fakeEngine(() => 95)
  await recognizePage({ page: large, dpi: 300, mode: 'fast' }, beside.readOnce)
  assert.equal(beside.ways[0]?.layout, 'auto')
  assert.equal(seen[0]?.data[20 * page.width + 100], 255)
})

test('specks are removed before reading', async () => {
  const page = paintPage()
  const specked = { ...page, data: page.data.map((value, at) => (at % 101 === 50 ? 255 - value : value)) }
  const { seen, readOnce } = fakeEngine(() => 95)
  await recognizePage({ page: specked, dpi: 300, mode: 'fast' }, readOnce)
  assert.equal(seen[0]?.data[50], 255)
})
