/** Whether the service can do its work. */
import type { HealthCheck } from '../api/health.ts'

export type HealthService = {
  /** `database`, `objectStore` and the optional checks by name. */
  ready(): Promise<{ status: 'ready' | 'degraded'; checks: Record<string, HealthCheck> }>
}
