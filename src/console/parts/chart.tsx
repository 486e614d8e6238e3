import type { ComponentChildren } from 'preact'
import { formatCount, formatDay } from '../format.ts'

/** Series of a chart: one value a day; `null` where nothing was measured. */
type Series = { name: string; values: readonly (number | null)[] }

type ChartProps = {
  title: string
  /** Days in UTC, as `YYYY-MM-DD`, one for each value. */
  days: readonly string[]
  /** One series, or two to compare. */
  series: readonly [Series] | readonly [Series, Series]
  /** Figure of the whole range. */
  total: string
  format?: (value: number) => string
}

/** Height and width of the drawing, before it is stretched to its place. */
const [HEIGHT, WIDTH] = [100, 300]

/** Share of the room of a day that its bar fills. */
const BAR = 0.72

/** Bars by day; a second series is drawn over the first, of which it is a part. */
export function BarChart(props: ChartProps) {
  const { days, series, format = formatCount } = props
  const max = maxOf(series)
  const step = WIDTH / Math.max(1, days.length)
  return (
    <Figure {...props} max={max}>
      {days.map((day, index) => (
        <g key={day}>
          <title>
            {[formatDay(day), ...series.map(({ name, values }) => `${format(values[index] ?? 0)} ${name}`)].join(', ')}
          </title>
          <rect x={index * step} width={step} y="0" height={HEIGHT} fill="transparent" />
          {series.map(({ name, values }, place) => {
            const height = max === 0 ? 0 : ((values[index] ?? 0) / max) * HEIGHT
            return (
              <rect
                key={name}
                class={place === 0 ? 'column' : 'column second'}
                x={index * step + (step * (1 - BAR)) / 2}
                width={step * BAR}
                y={HEIGHT - height}
                height={height}
              />
            )
          })}
        </g>
      ))}
    </Figure>
  )
}

/** Lines by day, with gaps where nothing was measured. A single day is a short stroke. */
export function LineChart(props: ChartProps) {
  const { days, series } = props
  const max = maxOf(series)
  const step = WIDTH / Math.max(1, days.length)
  const pathOf = (values: readonly (number | null)[]) =>
    values
      .map((value, index) => {
        if (value === null) return ''
        const y = HEIGHT - (max === 0 ? 0 : (value / max) * HEIGHT)
        const isStart = index === 0 || values[index - 1] === null
        return isStart ? `M${index * step} ${y}H${(index + 1) * step}` : `L${(index + 1) * step} ${y}`
      })
      .join('')
  return (
    <Figure {...props} max={max}>
      {series.map(({ name, values }, place) => (
        <path key={name} class={place === 0 ? 'line' : 'line second'} d={pathOf(values)} />
      ))}
    </Figure>
  )
}

function maxOf(series: readonly Series[]): number {
  return Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
}

type FigureProps = ChartProps & { max: number; children: ComponentChildren }

function Figure({ title, days, series, total, format = formatCount, max, children }: FigureProps) {
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure class="day-chart card">
      <figcaption>
        {title}
        {series.length > 1 && (
          <span class="legend">
            {series.map(({ name }, place) => (
              <span key={name}>
                <i class={place === 0 ? '' : 'second'} aria-hidden="true" />
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <span class="total">{total}</span>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} by day: ${total}, at most ${format(max)} a day`}
      >
        {[0, 0.5, 1].map((share) => (
          <line key={share} class="grid" x1="0" x2={WIDTH} y1={share * HEIGHT} y2={share * HEIGHT} />
        ))}
        {children}
      </svg>
      <span class="axis">
        <span>{first && formatDay(first)}</span>
        <span>at most {format(max)}</span>
        <span>{last && formatDay(last)}</span>
      </span>
    </figure>
  )
}
