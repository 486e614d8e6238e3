import { formatBytes, formatCount, formatDay } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Notice } from '../parts/notice.tsx'
import { client } from '../session.ts'

/** Usage of the plan's limits. */
export function Usage() {
  const { value: account, error, reload } = useLoad((signal) => client.value.account({ signal }), [])
  if (account === null) return <Notice error={error} onRetry={reload} />
  const { plan, usage, organization } = account
  const { limits } = plan
  const of = (used: number, limit: number | null, format: (value: number) => string) => ({
    value: limit === null ? `${format(used)}, no limit` : `${format(used)} of ${format(limit)}`,
    share: limit === null ? null : used / limit,
  })
  return (
    <>
      <h1>Usage</h1>
      <p class="quiet">
        <bdi>{organization.name}</bdi>, plan {plan.name} · queries since {formatDay(usage.period.start)}
      </p>
      <Meter label="Storage" {...of(usage.storageBytes, limits.storageBytes, formatBytes)} />
      <Meter label="Memories" {...of(usage.memories, limits.memories, formatCount)} />
      <Meter label="Queries this month" {...of(usage.queries, limits.queriesPerMonth, formatCount)} />
      <Meter label="Documents" value={formatCount(usage.documents)} share={null} />
      <p class="quiet">
        Maximum file size {formatBytes(limits.maxFileBytes)} · images {formatBytes(limits.maxImageBytes)}.
      </p>
    </>
  )
}

/** Bar with its text. `share` is 0 to 1, `null` without a limit. */
function Meter({ label, value, share }: { label: string; value: string; share: number | null }) {
  const percent = share === null ? 0 : Math.round(Math.min(1, share) * 100)
  return (
    <div class="meter">
      <span>{label}</span>
      <span>{value}</span>
      {share !== null && (
        <progress max={100} value={percent} aria-label={`${label}: ${percent} %`} class={share > 0.9 ? 'full' : ''} />
      )}
    </div>
  )
}
