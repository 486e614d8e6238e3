import { type Bin, CONFIDENT } from './tally.ts'

const SIDE = 360
const MARGIN = { top: 30, right: 20, bottom: 40, left: 46 } as const
const COLOURS = ['#2f81f7', '#d4722b', '#2da44e'] as const
const BAR_CHARACTERS = 40
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .grid { stroke: #8c959f; stroke-opacity: .3 }
  .even { stroke: #8c959f; stroke-dasharray: 4 4 }
  .line { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { text { fill: #9da7b3 } }
`

/** One line per tenth: a bar of the right share, and a mark `|` at the mean confidence. */
export function plotAsText(bins: readonly Bin[]): string {
  const lines = bins.map(({ from, answers, right, meanConfidence }) => {
    const bar = '#'.repeat(Math.round((BAR_CHARACTERS * right) / answers)).padEnd(BAR_CHARACTERS + 1, '.')
    const mark = Math.round(BAR_CHARACTERS * meanConfidence)
    const share = `${((100 * right) / answers).toFixed(0)} %`.padStart(5)
    return `${from.toFixed(1)}  ${bar.slice(0, mark)}|${bar.slice(mark + 1)} ${share} of ${answers}`
  })
  return ['```', ...lines, '```'].join('\n')
}

/**
 * The right share over the mean confidence of each tenth, a line per set; even calibration is
 * dashed.
 */
export function drawCalibration(sets: ReadonlyMap<string, readonly Bin[]>): string {
  const x = (value: number) => round(MARGIN.left + value * SIDE)
  const y = (value: number) => round(MARGIN.top + (1 - value) * SIDE)
  const [width, height] = [MARGIN.left + SIDE + MARGIN.right, MARGIN.top + SIDE + MARGIN.bottom]
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>Right answers by confidence</title>`
  const grid = TICKS.flatMap((tick) => [
    `<path class="grid" d="M${x(0)} ${y(tick)}H${x(1)}"/>`,
    `<text x="${x(0) - 8}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`,
    `<text x="${x(tick)}" y="${y(0) + 18}" text-anchor="middle">${tick}</text>`,
  ])
  const lines = [...sets].flatMap(([name, bins], index) => drawSet({ name, bins, index, x, y }))
  return [
    head,
    `<style>${STYLE}</style>`,
    ...grid,
    `<path class="even" d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}"/>`,
    `<path class="even" d="M${x(CONFIDENT)} ${y(0)}V${y(1)}"/>`,
    ...lines,
    `<text x="${x(0.5)}" y="${height - 6}" text-anchor="middle">confidence; the share that is right upward</text>`,
    '</svg>',
    '',
  ].join('\n')
}

type Place = (value: number) => number
type DrawnSet = { name: string; bins: readonly Bin[]; index: number; x: Place; y: Place }

function drawSet({ name, bins, index, x, y }: DrawnSet): string[] {
  const colour = COLOURS[index % COLOURS.length] ?? COLOURS[0]
  const points = bins.map(({ meanConfidence, right, answers }) => ({
    at: `${x(meanConfidence)} ${y(right / answers)}`,
    dot: `<circle fill="${colour}" cx="${x(meanConfidence)}" cy="${y(right / answers)}" r="${round(2 + Math.log2(answers))}"/>`,
  }))
  const path =
    points.length === 0 ? [] : [`<path class="line" stroke="${colour}" d="M${points.map(({ at }) => at).join('L')}"/>`]
  const label = `<text style="fill:${colour}" x="${x(0.05 + 0.2 * index)}" y="${MARGIN.top - 10}">${name}</text>`
  return [...path, ...points.map(({ dot }) => dot), label]
}

function round(value: number): number {
  return Math.round(10 * value) / 10
}
