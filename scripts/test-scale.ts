/**
 * `npm run test:scale`: load tests, which run real servers for minutes. Without arguments, runs the
 * short set that every change must pass; `--all` runs all files, file names select files. Speed
 * tests run alone, other tests two at a time, the longest first. Tests that mostly wait run in
 * parallel with the others.
 */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { whyNoCeph } from '../test/scale/support/ceph-server.ts'
import { whyNoFailingFsync } from '../test/scale/support/failing-fsync.ts'
import { whyNoPooler } from '../test/scale/support/pooler.ts'
import { whyNoPostgres } from '../test/scale/support/postgres-server.ts'
import { whyNoSettableClock } from '../test/scale/support/settable-clock.ts'
import { bundleService } from './bundle-service.ts'
import { type Batch, runStages } from './test-files.ts'

/**
 * Kills, several processes, PostgreSQL, S3, the package and speed: what a change breaks most, in
 * some five minutes.
 */
const SHORT = ['speed', 'kill', 'writers', 'postgres-suite', 's3-memory-file', 'package']
const ALONE = ['speed']
/**
 * Tests that mostly wait for leases of dead processes to expire. They run in sequence, in parallel
 * with the others.
 */
const WAITING = ['nodes', 'webhook-nodes']
/** Over a minute and a quarter each, the longest first. */
const LONGEST = [
  'rolling-restart',
  's3-service',
  'slow-clients',
  'postgres-suite',
  's3-memory-file',
  'kill-nodes',
  'package',
  'failing-disk',
  'leave-full-disk',
  'reembed-nodes',
]
/** With three on two cores each took half as long again. */
const AT_ONCE = 2

const given = process.argv.slice(2)
const named = given.filter((argument) => !argument.startsWith('-'))
// Installed here, since two test files could otherwise install the same program twice.
if (named.length !== 1)
  for (const install of [whyNoPostgres, whyNoPooler, whyNoCeph, whyNoSettableClock, whyNoFailingFsync]) install()
const existing = globSync('test/scale/*.test.ts').sort()
const nameOf = (file: string) => basename(file, '.test.ts')
const chosen = given.includes('--all') ? existing : existing.filter((file) => SHORT.includes(nameOf(file)))
const files = named.length > 0 ? named : chosen
const batchesOf = (names: readonly string[]): Batch[] =>
  names.flatMap((name) => files.filter((file) => nameOf(file) === name)).map((file) => [file])
const ordered = [...ALONE, ...WAITING, ...LONGEST]
const others = files.filter((file) => !ordered.includes(nameOf(file))).map((file) => [file])
// The speed tests start the service from source.
if (files.length > 1) process.env['SERVICE_BUNDLE'] = await bundleService()
process.exitCode = await runStages(
  [
    [{ batches: batchesOf(ALONE), atOnce: 1 }],
    [
      { batches: batchesOf(WAITING), atOnce: 1 },
      { batches: [...batchesOf(LONGEST), ...others], atOnce: AT_ONCE },
    ],
  ],
  // Longer than the longest file on a busy machine; adjustable for longer runs.
  { maxMinutes: Number(process.env['SOAK_MINUTES'] ?? 10), nodeOptions: [] },
)
