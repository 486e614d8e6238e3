import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCeph, whyNoCeph } from '../../test/scale/support/ceph-server.ts'
import { type FaultProxy, startFaultProxy } from '../../test/scale/support/fault-proxy.ts'
import { startPostgres, whyNoPostgres } from '../../test/scale/support/postgres-server.ts'
import { type Service, startService } from '../service.ts'

/** Settings of a process beside its stores. */
type NodeSettings = Readonly<Record<string, string>>

/** PostgreSQL and Ceph on this machine, each behind a proxy, and the processes over both. */
export type Scaled = {
  /** Starts a process with a role; stopped together with the rest, if not before. */
  start(role: 'api' | 'worker', settings?: NodeSettings): Promise<Service>
  /** From now on both stores answer so much later, each way. */
  delay(delayMs: number): void
  close(): Promise<void>
}

/** Opens an empty installation; rejects where the servers cannot be had. */
export async function openScaled(): Promise<Scaled> {
  const reason = whyNoPostgres() ?? whyNoCeph()
  if (reason !== null) throw new Error(reason)
  const folder = mkdtempSync(join(tmpdir(), 'recollect-scale-bench-'))
  const [ceph, postgres] = await Promise.all([startCeph(), startPostgres()])
  const proxies: FaultProxy[] = [await startFaultProxy(ceph.port), await startFaultProxy(postgres.port)]
  const [toCeph, toPostgres] = proxies
  const database = await postgres.makeDatabase('bench', toPostgres?.port)
  const services: Service[] = []
  return {
    async start(role, settings = {}) {
      const stores = { ...ceph.settings('bench', toCeph?.url), RECOLLECT_DATABASE_URL: database }
      const own = {
        RECOLLECT_ROLE: role,
        RECOLLECT_DRAIN_SECONDS: '0',
        RECOLLECT_LOG_LEVEL: 'warn',
      }
      const service = await startService(join(folder, String(services.length)), [], { ...stores, ...own, ...settings })
      services.push(service)
      return service
    },
    delay(delayMs) {
      for (const proxy of proxies) proxy.set(delayMs === 0 ? { kind: 'pass' } : { kind: 'slow', delayMs })
    },
    async close() {
      for (const proxy of proxies) proxy.set({ kind: 'pass' })
      await Promise.allSettled(services.map((service) => service.stop()))
      for (const proxy of proxies) await proxy.close()
      await postgres.stop()
      await ceph.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
