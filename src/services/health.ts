/** Whether the service can do its work. */

export type HealthService = {
  /** `database`, `objectStore` and the optional checks by name. */
  ready(): Promise<{ status: 'ready' | 'degraded'; checks: Record<string, HealthCheck> }>
}

export type HealthCheck = {
  status: 'up' | 'down'
  latencyMs?: number
  error?: string
  optional?: true
}
