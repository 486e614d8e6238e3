import type { TracingSetting, TracingSurroundings } from './otlp-tracing.ts'
import { NO_TRACING, type Tracing } from './tracing.ts'

/** Tracing as the settings want it. What it is made of is loaded only where an endpoint is named. */
export async function openTracing(setting: TracingSetting | null, surroundings: TracingSurroundings): Promise<Tracing> {
  if (setting === null) return NO_TRACING
  const { createOtlpTracing } = await import('./otlp-tracing.ts')
  return createOtlpTracing(setting, surroundings)
}
