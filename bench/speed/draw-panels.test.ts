import assert from 'node:assert/strict'
import { it } from 'node:test'
import { drawPanels } from './draw-panels.ts'

const points = [
  { x: 1000, y: 4 },
  { x: 1_000_000, y: 60 },
]

it('draws a line from the first to the last power of ten and labels its end', () => {
  const svg = drawPanels([{ title: 'Times', isLogarithmic: true, lines: [{ name: 'hybrid', points }] }])
  assert.match(svg, /<path class="line" stroke="#\w+" d="M52 [\d.]+L354 [\d.]+"\/>/)
  assert.match(svg, />hybrid<\/text>/)
  for (const tick of ['1000', '10k', '100k', '1M', '10', '100']) assert.ok(svg.includes(`>${tick}</text>`), tick)
})

it('begins a linear axis at 0 and ends it above the largest value', () => {
  const svg = drawPanels([{ title: 'Bytes', lines: [{ name: 'bytes', points }] }])
  for (const tick of ['0', '20', '40', '60']) assert.ok(svg.includes(`text-anchor="end">${tick}</text>`), tick)
})

it('keeps the names of lines that end in one place apart', () => {
  const svg = drawPanels([{ title: 'Two', lines: ['a', 'b'].map((name) => ({ name, points })) }])
  const [first = 0, second = 0] = [...svg.matchAll(/y="([\d.]+)">[ab]</g)].map((match) => Number(match[1]))
  assert.ok(Math.abs(first - second) >= 13, `${first} and ${second}`)
})
