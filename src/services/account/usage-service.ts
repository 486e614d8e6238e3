import type { Kysely } from 'kysely'
import type { UsageFiguresResource, UsageResource } from '../../api/account.ts'
import { isKeyOf } from '../../database/account/keys-table.ts'
import { LATENCY_COLUMNS, LATENCY_EDGES_MS, USAGE_COUNTERS, USAGE_SIZES } from '../../database/account/usage-columns.ts'
import { measureMemories, rankUsageGroups, sumUsage, type UsageSum } from '../../database/account/usage-table.ts'
import { requireMemory } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { batches } from '../../database/statements.ts'
import { ApiError, invalid } from '../../errors.ts'
import { isId } from '../../ids.ts'
import { USAGE } from '../../limits.ts'
import { isCalendarDay } from '../../text/calendar-day.ts'
import type { Caller } from '../caller.ts'
import { dayOf, type UsageRecorder } from './usage-recorder.ts'

const DAY_MS = 24 * 60 * 60_000
/** First day that a request may name: no service counted before. */
const FIRST_DAY = '1970-01-01'

type UsageFilter = Parameters<typeof sumUsage>[1]

/** Dependencies of the usage service. */
type UsageDeps = {
  db: Kysely<Tables>
  usage: Pick<UsageRecorder, 'flush'>
  now: () => Date
  yieldToEventLoop: () => Promise<void>
}

/** Reports the usage of an organization by day. */
export function createUsageService({ db, usage, now, yieldToEventLoop }: UsageDeps): UsageService {
  return {
    async get(caller, request) {
      const { from, to, days } = readRange(request, now())
      const { groupBy } = request
      const filter = { ...(await requireVisible(db, caller, request)), from, to }
      // Completes the counts of this process.
      await usage.flush()
      const sums = await sumUsage(db, filter)
      const grouped =
        groupBy === undefined ? null : await readGroups({ db, yieldToEventLoop }, filter, { groupBy, days })
      return {
        from,
        to,
        ...describeDays(days, sums),
        groupBy: groupBy ?? null,
        ...(grouped ?? { groups: [], groupsLeftOut: 0 }),
      }
    },
  }
}

/** Records the sizes of the memories today, and deletes older days than 90. */
export function maintainUsage(db: Kysely<Tables>, now: Date): Promise<void> {
  return measureMemories(db, { today: dayOf(now), keptFrom: addDays(dayOf(now), 1 - USAGE.days) })
}

/** Reads the days of a request. Throws `validation_failed`. */
function readRange({ from: first, to: last }: UsageRequest, now: Date) {
  const to = requireDay('to', last ?? dayOf(now))
  const from = requireDay('from', first ?? addDays(to, 1 - USAGE.defaultDays))
  if (from > to) throw invalid('from', 'must not be after to')
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  // Checked first: a list of the days of centuries would stop the event loop for seconds.
  if (count > USAGE.days) throw invalid('from', `must be at most ${USAGE.days} days before the end of to`)
  const days = Array.from({ length: count }, (_, place) => addDays(from, place))
  return { from, to, days }
}

function requireDay(param: string, day: string): string {
  if (!isCalendarDay(day)) throw invalid(param, 'must be a day that exists, such as 2026-11-28')
  if (day < FIRST_DAY) throw invalid(param, `must not be before ${FIRST_DAY}`)
  return day
}

function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS))
}

/**
 * Limits a request to the rights of the caller. Throws `memory_not_found` for another memory, and
 * `scope_forbidden` or `role_forbidden` for figures of keys, unless the caller may list keys.
 */
async function requireVisible(
  db: Kysely<Tables>,
  caller: Caller,
  { memoryId, keyId: asked, groupBy }: UsageRequest,
): Promise<Omit<UsageFilter, 'from' | 'to'>> {
  const { organizationId } = caller
  const keyId = asked ?? null
  if (keyId !== null || groupBy === 'key') {
    if (caller.scope === 'memory') throw new ApiError('scope_forbidden')
    const message = `The key has the role ${caller.role}; figures of keys require the role admin.`
    if (caller.role !== 'admin') throw new ApiError('role_forbidden', { message })
  }
  if (keyId !== null && !(isId('key', keyId) && (await isKeyOf(db, { organizationId, keyId }))))
    throw new ApiError('key_not_found')
  if (memoryId === undefined) return { organizationId, memoryIds: caller.memoryIds, keyId }
  const { id } = await requireMemory(db, caller, memoryId)
  return { organizationId, memoryIds: [id], keyId }
}

/** Groups per step, which takes SQLite some milliseconds. */
const GROUPS_AT_ONCE = 5

async function readGroups(
  { db, yieldToEventLoop }: Pick<UsageDeps, 'db' | 'yieldToEventLoop'>,
  filter: UsageFilter,
  { groupBy, days }: { groupBy: 'memory' | 'key'; days: readonly string[] },
): Promise<Pick<UsageResource, 'groups' | 'groupsLeftOut'>> {
  const column = groupBy === 'memory' ? 'memory_id' : 'key_id'
  const { groups, total } = await rankUsageGroups(db, filter, { column, limit: USAGE.groups })
  await yieldToEventLoop()
  const described: UsageResource['groups'] = []
  for (const some of batches(groups, GROUPS_AT_ONCE)) {
    const sums = Map.groupBy(await sumUsage(db, filter, { column, groups: some }), ({ group }) => group)
    for (const group of some)
      described.push({ id: group === '' ? null : group, ...describeDays(days, sums.get(group) ?? []) })
    await yieldToEventLoop()
  }
  return { groups: described, groupsLeftOut: total - groups.length }
}

/** Every day with its figures, and their totals. */
function describeDays(days: readonly string[], sums: readonly UsageSum[]): Pick<UsageResource, 'days' | 'totals'> {
  const byDay = new Map(sums.map((sum) => [sum.day, sum]))
  const sorted = days.flatMap((day) => byDay.get(day) ?? [])
  return {
    days: days.map((day) => ({ day, ...toFigures(byDay.get(day) ?? NOTHING) })),
    totals: toFigures(sorted.reduce<Figures>(addFigures, NOTHING)),
  }
}

type Figures = Omit<UsageSum, 'day' | 'group'>

const NOTHING = Object.fromEntries([
  ...USAGE_COUNTERS.map((name) => [name, 0]),
  ...USAGE_SIZES.map((name) => [name, null]),
]) as Figures

/** Counts add up; of sizes, the later one counts. */
function addFigures(earlier: Figures, later: Figures): Figures {
  const sums = { ...earlier }
  for (const name of USAGE_COUNTERS) sums[name] += later[name]
  for (const name of USAGE_SIZES) sums[name] = later[name] ?? earlier[name]
  return sums
}

function toFigures(figures: Figures): UsageFiguresResource {
  const finds = LATENCY_COLUMNS.find.map((name) => figures[name])
  const asks = LATENCY_COLUMNS.ask.map((name) => figures[name])
  return {
    finds: sum(finds),
    asks: sum(asks),
    asksDeclined: figures.asks_declined,
    extractions: figures.extractions,
    failedRequests: figures.failed_requests,
    documentsAdded: figures.documents_added,
    pagesRecognized: figures.pages_recognized,
    pagesWithText: figures.pages_with_text,
    findP50Ms: estimatePercentile(finds, 0.5),
    findP95Ms: estimatePercentile(finds, 0.95),
    askP50Ms: estimatePercentile(asks, 0.5),
    askP95Ms: estimatePercentile(asks, 0.95),
    storageBytes: figures.storage_bytes,
    documents: figures.documents,
    chunks: figures.chunks,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/**
 * Estimates a percentile of a latency histogram in milliseconds, linearly within a bucket; `null`
 * without requests. Of the last bucket, returns the lower edge.
 */
function estimatePercentile(buckets: readonly number[], share: number): number | null {
  const rank = share * sum(buckets)
  if (rank === 0) return null
  let below = 0
  for (const [place, count] of buckets.entries()) {
    if (count > 0 && below + count >= rank) {
      const lower = LATENCY_EDGES_MS[place - 1] ?? 0
      const upper = LATENCY_EDGES_MS[place] ?? lower
      return Math.ceil(lower + ((upper - lower) * (rank - below)) / count)
    }
    below += count
  }
  return LATENCY_EDGES_MS.at(-1) ?? null
}

/** Days, memory and key of a request; absent: the last 30 days, all memories and keys. */
type UsageRequest = {
  from?: string | undefined
  to?: string | undefined
  memoryId?: string | undefined
  keyId?: string | undefined
  groupBy?: 'memory' | 'key' | undefined
}

/** Usage of an organization by day. */
export type UsageService = {
  /**
   * Returns the figures of each day, for a memory-scoped caller those of the caller's memories.
   * Rejects with `validation_failed`, `memory_not_found`, `key_not_found`, `scope_forbidden` and
   * `role_forbidden`.
   */
  get(caller: Caller, request: UsageRequest): Promise<UsageResource>
}
