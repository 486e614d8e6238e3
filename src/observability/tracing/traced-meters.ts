import type { Meters } from '../metrics/meters.ts'
import type { Tracing } from './tracing.ts'

/** Meters that make a span of each call they hear of: of a model, of a child that reads. They stand at all these seams already. */
export function tracedMeters(tracing: Tracing, meters: Meters): Meters {
  if (!tracing.isOn) return meters
  return {
    ...meters,
    modelCalled(call) {
      meters.modelCalled(call)
      const { model, outcome, seconds } = call
      tracing.note(`model ${model}`, {
        seconds,
        isFailed: outcome === 'failed',
        facts: { 'recollect.outcome': outcome },
      })
    },
    taskEnded(ended) {
      meters.taskEnded(ended)
      const { task, outcome, seconds } = ended
      tracing.note(task, { seconds, isFailed: outcome === 'failed', facts: { 'recollect.outcome': outcome } })
    },
  }
}
