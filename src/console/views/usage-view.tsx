import { useState } from 'preact/hooks'
import type { Account, Usage as UsageReport } from '../../client/accounts.ts'
import { formatBytes, formatCount, formatDay } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { memoryList, memoryNames } from '../memory-list.ts'
import { BarChart, LineChart } from '../parts/chart.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { numbers, Table } from '../parts/table.tsx'
import { keepQuery, linkTo, route } from '../route.ts'
import { client, mayAdminister } from '../session.ts'

/** Ranges to choose from, in days; the service keeps 90. */
const RANGES = [7, 30, 90] as const
const DAY_MS = 86_400_000

/** First day, in UTC, of a range that ends today. */
function firstDayOf(days: number): string {
  return new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)
}

/** Usage over time, by memory and key, and the limits of the plan. */
export function Usage() {
  const { query } = route.value
  const [days, setDays] = useState(RANGES.find((range) => String(range) === query.get('days')) ?? 30)
  const [memoryId, setMemoryId] = useState(query.get('memory') ?? '')
  const account = useLoad((signal) => client.value.account({ signal }), [])
  const usage = useLoad(
    (signal) => {
      const from = firstDayOf(days)
      const of = memoryId === '' ? { groupBy: 'memory' as const } : { memoryId }
      keepQuery(linkTo('usage'), { days: days === 30 ? '' : String(days), memory: memoryId })
      return client.value.usage({ from, ...of, signal })
    },
    [days, memoryId],
  )
  return (
    <>
      <header class="head">
        <h1>Usage</h1>
        <div class="row">
          <select aria-label="Memory" value={memoryId} onChange={(event) => setMemoryId(event.currentTarget.value)}>
            <option value="">All memories</option>
            {memoryList.value.memories?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <fieldset class="segmented" aria-label="Range">
            {RANGES.map((range) => (
              <button key={range} type="button" aria-pressed={range === days} onClick={() => setDays(range)}>
                {range} days
              </button>
            ))}
          </fieldset>
        </div>
      </header>
      <Notice error={account.error ?? usage.error} onRetry={usage.reload} />
      {account.value && memoryId === '' && <Limits account={account.value} />}
      {usage.value === null && usage.error === null && <Skeleton rows={8} />}
      {usage.value && <Charts usage={usage.value} />}
      {usage.value && usage.value.groups.length > 0 && <Groups groups={usage.value.groups} title="By memory" />}
      {usage.value && memoryId === '' && mayAdminister.value && <KeyGroups days={days} />}
    </>
  )
}

function Limits({ account: { plan, usage, organization } }: { account: Account }) {
  const { limits } = plan
  return (
    <>
      <div class="meters">
        <Meter label="Storage" used={usage.storageBytes} limit={limits.storageBytes} format={formatBytes} />
        <Meter label="Memories" used={usage.memories} limit={limits.memories} />
        <Meter label="Queries this month" used={usage.queries} limit={limits.queriesPerMonth} />
        <Meter label="Documents" used={usage.documents} limit={null} />
      </div>
      <p class="faint">
        <bdi>{organization.name}</bdi>, plan {plan.name}. Queries count since {formatDay(usage.period.start)}. A file
        may have {formatBytes(limits.maxFileBytes)}, an image {formatBytes(limits.maxImageBytes)}.
      </p>
    </>
  )
}

type MeterProps = { label: string; used: number; limit: number | null; format?: (value: number) => string }

/** Figure with its limit as a bar; without a limit, the figure alone. */
function Meter({ label, used, limit, format = formatCount }: MeterProps) {
  const share = limit === null ? null : Math.min(1, used / limit)
  return (
    <div class="meter card">
      <span>{label}</span>
      <span>{limit === null ? `${format(used)}, no limit` : `${format(used)} of ${format(limit)}`}</span>
      {share !== null && (
        <progress
          max={1}
          value={share}
          aria-label={`${label}: ${Math.round(share * 100)} %`}
          class={share > 0.9 ? 'full' : ''}
        />
      )}
    </div>
  )
}

function Charts({ usage }: { usage: UsageReport }) {
  const { totals } = usage
  const days = usage.days.map(({ day }) => day)
  const valuesOf = <Value,>(read: (day: UsageReport['days'][number]) => Value) => usage.days.map(read)
  const ms = (value: number) => `${formatCount(Math.round(value))} ms`
  const latency = (p50: number | null, p95: number | null) =>
    p50 === null || p95 === null ? 'no requests' : `${ms(p50)} · p95 ${ms(p95)}`
  return (
    <section class="figures" aria-label="Figures by day">
      <BarChart
        title="Searches"
        days={days}
        total={formatCount(totals.finds)}
        series={[{ name: 'searches', values: valuesOf(({ finds }) => finds) }]}
      />
      <BarChart
        title="Questions"
        days={days}
        total={`${formatCount(totals.asks)} · ${formatCount(totals.asksDeclined)} declined`}
        series={[
          { name: 'asked', values: valuesOf(({ asks }) => asks) },
          { name: 'declined', values: valuesOf(({ asksDeclined }) => asksDeclined) },
        ]}
      />
      <BarChart
        title="Pages read"
        days={days}
        total={formatCount(totals.pagesWithText + totals.pagesRecognized)}
        series={[
          { name: 'pages', values: valuesOf((day) => day.pagesWithText + day.pagesRecognized) },
          { name: 'recognised', values: valuesOf(({ pagesRecognized }) => pagesRecognized) },
        ]}
      />
      <LineChart
        title="Search latency"
        days={days}
        total={latency(totals.findP50Ms, totals.findP95Ms)}
        format={ms}
        series={[
          { name: 'median', values: valuesOf(({ findP50Ms }) => findP50Ms) },
          { name: 'p95', values: valuesOf(({ findP95Ms }) => findP95Ms) },
        ]}
      />
      <LineChart
        title="Answer latency"
        days={days}
        total={latency(totals.askP50Ms, totals.askP95Ms)}
        format={ms}
        series={[
          { name: 'median', values: valuesOf(({ askP50Ms }) => askP50Ms) },
          { name: 'p95', values: valuesOf(({ askP95Ms }) => askP95Ms) },
        ]}
      />
      <LineChart
        title="Storage"
        days={days}
        total={totals.storageBytes === null ? 'not measured yet' : formatBytes(totals.storageBytes)}
        format={formatBytes}
        series={[{ name: 'storage', values: valuesOf(({ storageBytes }) => storageBytes) }]}
      />
    </section>
  )
}

/** Figures by key, with the names of the keys. */
function KeyGroups({ days }: { days: number }) {
  const from = firstDayOf(days)
  const groups = useLoad((signal) => client.value.usage({ from, groupBy: 'key', signal }), [days])
  const keys = useLoad((signal) => Array.fromAsync(client.value.keys.list({ signal })), [])
  if (groups.value === null) return <Notice error={groups.error} onRetry={groups.reload} />
  const names = new Map(keys.value?.map(({ id, name }) => [id, name]))
  return groups.value.groups.length === 0 ? null : <Groups groups={groups.value.groups} title="By key" names={names} />
}

/** Figures of a group by their column. */
const FIGURES: Readonly<Record<string, (totals: UsageReport['totals']) => string>> = {
  Searches: ({ finds }) => formatCount(finds),
  Questions: ({ asks }) => formatCount(asks),
  Declined: ({ asksDeclined }) => formatCount(asksDeclined),
  Extractions: ({ extractions }) => formatCount(extractions),
  'Median search': ({ findP50Ms }) => (findP50Ms === null ? '–' : `${Math.round(findP50Ms)} ms`),
}

type GroupsProps = { groups: UsageReport['groups']; title: string; names?: ReadonlyMap<string, string> }

function Groups({ groups, title, names = memoryNames.value }: GroupsProps) {
  const nameOf = (id: string | null) => (id === null ? 'Other' : (names.get(id) ?? id))
  return (
    <section class="groups" aria-label={title}>
      <h2>{title}</h2>
      <Table columns={['Name', ...numbers(...Object.keys(FIGURES))]}>
        {groups.map(({ id, totals }) => (
          <tr key={id ?? ''}>
            <td class="named" title={id ?? 'Several memories or none, people, and what was deleted'}>
              <p class="one-line">
                <bdi>{nameOf(id)}</bdi>
              </p>
            </td>
            {Object.entries(FIGURES).map(([name, of]) => (
              <td key={name} class="number" data-label={name}>
                {of(totals)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  )
}
