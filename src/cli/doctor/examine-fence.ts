import { tmpdir } from 'node:os'
import { tryFence } from '../../parsers/child/child.ts'
import { describeFence, isWhole } from '../../parsers/fence/fence-watch.ts'
import type { Finding } from './finding.ts'

/**
 * What the system keeps from the network and the disk of the processes in which a service started here would read files. That it offers no fence is no trouble: a
 * service runs without, as on every system but Linux.
 */
export async function examineFence(): Promise<Finding> {
  const report = await tryFence(tmpdir())
  const check = 'fence'
  if (report === null)
    return { check, state: 'trouble', detail: 'the process that was started to try it did not come up' }
  return { check, state: isWhole(report) ? 'ok' : 'unknown', detail: describeFence(report) }
}
