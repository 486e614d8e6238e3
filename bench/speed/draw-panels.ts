/**
 * A small plot: lines over a logarithmic x. Lines of one name share a colour; the first of each
 * name is labelled.
 */
export type Panel = {
  title: string
  /** True for a logarithmic y axis; else the axis starts at 0. */
  isLogarithmic?: boolean
  lines: readonly { name: string; isDashed?: boolean; points: readonly { x: number; y: number }[] }[]
}

const PANEL = { width: 430, height: 270 } as const
/** Around the plot itself: room for the title, the numbers and the names of the lines. */
const MARGIN = { top: 36, right: 76, bottom: 30, left: 52 } as const
const COLUMNS = 2
const TICKS = 4
/** The distance between line labels that would overlap. */
const LABEL_PIXELS = 13
/** Legible on white and on black. */
const COLOURS = ['#2f81f7', '#d4722b', '#2da44e'] as const

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600; fill: #24292f }
  .grid { stroke: #8c959f; stroke-opacity: .3 }
  .line { fill: none; stroke-width: 2 }
  .dashed { stroke-dasharray: 4 4; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) { text { fill: #9da7b3 } .title { fill: #e6edf3 } }
`

/** Panels side by side as one SVG, for light and dark pages. */
export function drawPanels(panels: readonly Panel[]): string {
  const width = COLUMNS * PANEL.width
  const height = Math.ceil(panels.length / COLUMNS) * PANEL.height
  const drawn = panels.map((panel, index) => {
    const [x, y] = [(index % COLUMNS) * PANEL.width, Math.floor(index / COLUMNS) * PANEL.height]
    return `<g transform="translate(${x} ${y})">\n${drawPanel(panel)}\n</g>`
  })
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>What growth costs</title>`
  return [head, `<style>${STYLE}</style>`, ...drawn, '</svg>', ''].join('\n')
}

type Scale = { ticks: readonly number[]; at(value: number): number }

function drawPanel({ title, isLogarithmic = false, lines }: Panel): string {
  const points = lines.flatMap((line) => line.points)
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  const right = PANEL.width - MARGIN.right
  const bottom = PANEL.height - MARGIN.bottom
  const x = logarithmic(xs, MARGIN.left, right)
  const y = isLogarithmic ? logarithmic(ys, bottom, MARGIN.top) : fromZero(ys, bottom, MARGIN.top)
  return [
    `<text class="title" x="${MARGIN.left}" y="20">${title}</text>`,
    ...y.ticks.map((tick) => {
      const at = round(y.at(tick))
      return `<path class="grid" d="M${MARGIN.left} ${at}H${right}"/><text x="${MARGIN.left - 6}" y="${at + 4}" text-anchor="end">${short(tick)}</text>`
    }),
    ...x.ticks.map(
      (tick) => `<text x="${round(x.at(tick))}" y="${bottom + 18}" text-anchor="middle">${short(tick)}</text>`,
    ),
    ...drawLines(lines, x, y),
  ].join('\n')
}

function drawLines(lines: Panel['lines'], x: Scale, y: Scale): string[] {
  const names = [...new Set(lines.map(({ name }) => name))]
  const colourOf = (name: string) => COLOURS[names.indexOf(name) % COLOURS.length] ?? COLOURS[0]
  const paths = lines.map(({ name, isDashed, points }) => {
    const path = points.map((point) => `${round(x.at(point.x))} ${round(y.at(point.y))}`).join('L')
    return `<path class="line${isDashed ? ' dashed' : ''}" stroke="${colourOf(name)}" d="M${path}"/>`
  })
  let above = -LABEL_PIXELS
  const labels = names
    .map((name) => ({ name, end: lines.find((line) => line.name === name)?.points.at(-1) }))
    .flatMap(({ name, end }) => (end === undefined ? [] : [{ name, at: y.at(end.y) }]))
    .sort((a, b) => a.at - b.at)
    .map(({ name, at }) => {
      above = Math.max(at, above + LABEL_PIXELS)
      return `<text style="fill:${colourOf(name)}" x="${PANEL.width - MARGIN.right + 6}" y="${round(above) + 4}">${name}</text>`
    })
  return [...paths, ...labels]
}

/** From the power of ten below the least value to that above the largest, a tick at each. */
function logarithmic(values: readonly number[], start: number, end: number): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-2))
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
    at: (value) => start + ((Math.log10(value) - low) / (high - low)) * (end - start),
  }
}

function fromZero(values: readonly number[], start: number, end: number): Scale {
  const step = niceStep(Math.max(...values) / TICKS)
  const top = step * Math.ceil(Math.max(...values) / step)
  return {
    ticks: Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step),
    at: (value) => start + (value / top) * (end - start),
  }
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= least) ?? 10)
}

function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`
  return value >= 1e4 ? `${value / 1e3}k` : String(value)
}

function round(value: number): number {
  return Math.round(10 * value) / 10
}
