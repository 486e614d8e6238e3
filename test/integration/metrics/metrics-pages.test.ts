/** Documentation about metrics names existing metrics. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMeters } from '../../../src/observability/meters.ts'

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs')
const STOCK = {
  jobs: [],
  memories: 0,
  documents: 0,
  chunks: 0,
  storedBytes: 0,
  webhookMessages: 0,
  removals: [{ stage: 'data', count: 0, oldestSeconds: 0 }],
}
const NAME = /\b(?:recollect|process|nodejs)_\w+/g

/** Every metric with its labels, without `le`. */
async function listMetrics(): Promise<Map<string, { type: string; help: string }>> {
  const text = await createMeters('1.2.3').print(STOCK)
  const helps = new Map([...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]))
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Map(types.map(([, name = '', type = '']) => [name, { type, help: helps.get(name) ?? '' }]))
}

/** The metric behind a name in an expression. */
function metricOf(name: string): string {
  return name.replace(/^(recollect_\w+_seconds)_(bucket|count|sum)$/, '$1')
}

test('the page lists each metric with its kind, and no unknown one', async () => {
  const metrics = await listMetrics()
  const page = readFileSync(join(DOCS, 'metrics.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(recollect_\w+)` \| (\w+) \|/gm)].map(([, name, kind]) => [name, kind])
  const own = [...metrics].filter(([name]) => name.startsWith('recollect_')).map(([name, { type }]) => [name, type])
  assert.deepEqual(rows.toSorted(), own.toSorted())
  for (const [name] of page.matchAll(NAME)) {
    if (name !== 'process_' && name !== 'nodejs_') assert.ok(metrics.has(metricOf(name)), name)
  }
  for (const [, { help }] of metrics) assert.ok(help.length > 0)
})

test('every expression of the dashboard names metrics that are there, and every metric of ours is shown', async () => {
  const metrics = await listMetrics()
  const { panels } = JSON.parse(readFileSync(join(DOCS, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const named = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(NAME) ?? ['no metric']))
  for (const name of named) assert.ok(metrics.has(metricOf(name)), name)
  const shown = new Set(named.map(metricOf))
  assert.deepEqual(
    [...metrics.keys()].filter((name) => name.startsWith('recollect_') && !shown.has(name)),
    [],
  )
})
