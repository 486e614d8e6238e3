import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { FailpointName } from '../../src/observability/failpoints.ts'
import { type Child, spawnProduct } from '../spec/product.ts'
import { createService, type Service } from '../spec/service.ts'

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'die-at-step.ts')).href
/** The limit for the end of a killed process, or for a planned death, also on a busy machine. */
const END_MS = 60_000
/** Printed by a process that counts its steps. */
const ARMED = /^armed$/m

/** The step at which a process dies, the number of occurrences and the delay. */
export type Death = { step: FailpointName; times: number; afterMs: number; atOnce?: true }

/** A service whose processes die like `kill -9` at a step chosen before each start. */
export type MortalService = Service & {
  /** Sets the death of the next process; `null` for none. */
  destine(death: Death | null): void
  /** Resolves when the running process counts its steps; rejects after a minute. */
  arm(): Promise<void>
  /** True after the end of the latest process. */
  isDead(): boolean
  /** True when the process has ended or ends within a minute. */
  dies(): Promise<boolean>
  /** The number of deaths at each step so far. */
  deaths(): ReadonlyMap<string, number>
}

/** A service not yet started; `say` lists steps that its processes report. */
export function createMortalService(
  settings: Readonly<Record<string, string>>,
  say: readonly FailpointName[] = [],
): MortalService {
  let next: Death | null = null
  let isDead = true
  let ended: Promise<unknown> = Promise.resolve()
  let running: Child | null = null

  function launch(chosen: Readonly<Record<string, string>>): Child {
    const child = spawnProduct({ ...chosen, NODE_OPTIONS: `--import=${preload(next, say)}` })
    isDead = false
    running = child
    ended = child.ended().then(() => {
      isDead = true
    })
    return child
  }

  const service = createService(settings, launch)
  const own = {
    destine(death: Death | null) {
      next = death
    },
    arm: () => armProcess(running ?? assert.fail('it was not started')),
    isDead: () => isDead,
    dies: () => Promise.race([ended.then(() => true), pause(END_MS, false)]),
    deaths: () => countLines(service.output(), /^died at (.*)$/gm),
  }
  // Not a spread, since address and process are getters.
  return Object.create(service, Object.getOwnPropertyDescriptors(own)) as MortalService
}

/** The number of times a process created with `say` reached this step. */
export function countReached(service: Service, step: FailpointName): number {
  return countLines(service.output(), /^reached (.*)$/gm).get(step) ?? 0
}

async function armProcess(child: Child): Promise<void> {
  process.kill(child.pid, 'SIGUSR2')
  await child.printed(ARMED, END_MS).catch((error) => {
    // The process may have died at its step immediately.
    if (!ARMED.test(child.output())) throw error
  })
}

function preload(death: Death | null, say: readonly FailpointName[]): string {
  const query = new URLSearchParams(say.length === 0 ? {} : { say: say.join(',') })
  if (death !== null) {
    query.set('step', death.step)
    query.set('times', String(death.times))
    query.set('afterMs', String(death.afterMs))
    if (death.atOnce) query.set('atOnce', '')
  }
  return `${PRELOAD}?${query}`
}

function countLines(output: string, line: RegExp): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [, name = ''] of output.matchAll(line)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
