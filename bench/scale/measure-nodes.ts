import type { Service } from '../service.ts'
import { ms, timeEach } from '../timings.ts'

/** The measurements of finds on a number of API processes. */
export type Found = {
  nodes: number
  perSecond: number
  p50: number
  /** Processor time of all processes a find, in milliseconds. */
  cpuMs: number
}

/** Finds by clients that wait for each answer, sent to the processes in turn. */
export async function measureFinds(
  nodes: readonly Service[],
  { memoryId, finds, callers }: { memoryId: string; finds: number; callers: number },
): Promise<Found> {
  const before = totalCpu(nodes)
  const questions = Array.from({ length: finds }, (_, number) => number)
  const { perSecond, p50 } = await timeEach(questions, callers, async (number) => {
    const node = nodes[number % nodes.length]
    await node?.send('POST', `/v1/memories/${memoryId}/find`, { query: `What does line ${number} say of the tide?` })
  })
  return { nodes: nodes.length, perSecond, p50, cpuMs: (totalCpu(nodes) - before) / finds }
}

/** As a row of a table. */
export function findsRow({ nodes, perSecond, p50, cpuMs }: Found): string[] {
  return [String(nodes), perSecond.toFixed(1), ms(p50), cpuMs.toFixed(1)]
}

function totalCpu(nodes: readonly Service[]): number {
  return nodes.reduce((total, node) => total + (node.cpuMs() ?? 0), 0)
}
