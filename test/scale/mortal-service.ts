import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Step } from '../../src/observability/failpoints.ts'
import { type Child, spawnProduct } from '../spec/product.ts'
import { createService, type Service } from '../spec/service.ts'

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'die-at-step.ts')).href
/** Within this a process that was killed is seen to have ended, and one that was destined to die comes to its step, also on a loaded machine. */
const END_MS = 60_000
/** What a process says that counts its steps. */
const ARMED = /^armed$/m

/** At which step a process ends, reached for the so-manieth time, and how much later. */
export type Death = { step: Step; times: number; afterMs: number; atOnce?: true }

/** A service whose processes end as `kill -9` ends them, at a step that is chosen before each start. */
export type MortalService = Service & {
  /** Of what the next process that is started dies; of nothing by itself where `null`. */
  destine(death: Death | null): void
  /** Resolves when the running process has heard that it is to count its steps; rejects when it does not hear within a minute. */
  arm(): Promise<void>
  /** True once the process that was started last has ended. */
  isDead(): boolean
  /** True when it has ended, or does so within a minute. */
  dies(): Promise<boolean>
  /** How many processes died at each step so far. */
  deaths(): ReadonlyMap<string, number>
}

/** Such a service, not started; `say` are steps that its processes write down as they reach them. */
export function createMortalService(
  settings: Readonly<Record<string, string>>,
  say: readonly Step[] = [],
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
  // Not spread: its address and process are getters.
  return Object.create(service, Object.getOwnPropertyDescriptors(own)) as MortalService
}

/** How often a process that was created with `say` has come to this step. */
export function countReached(service: Service, step: Step): number {
  return countLines(service.output(), /^reached (.*)$/gm).get(step) ?? 0
}

async function armProcess(child: Child): Promise<void> {
  process.kill(child.pid, 'SIGUSR2')
  await child.printed(ARMED, END_MS).catch((error) => {
    // It may have died at its step right behind it.
    if (!ARMED.test(child.output())) throw error
  })
}

function preload(death: Death | null, say: readonly Step[]): string {
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
