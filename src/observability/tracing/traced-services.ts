import type { JobHandlers, JobWork } from '../../services/jobs/job-handler.ts'
import type { Services } from '../../services/services.ts'
import { tracedSeam } from './traced-seam.ts'
import type { Tracing } from './tracing.ts'

/** The services whose work is worth a span, each function under its name. */
export function tracedServices<All extends Services>(tracing: Tracing, services: All): All {
  const { ask, corrections, evaluate, extract, ingest, search } = services
  return {
    ...services,
    ask: tracedSeam(tracing, ask, { ask: 'ask', streamAsk: 'ask', askOnce: 'ask-once', streamAskOnce: 'ask-once' }),
    corrections: tracedSeam(tracing, corrections, { add: 'correct' }),
    evaluate: tracedSeam(tracing, evaluate, { evaluate: 'evaluate' }),
    extract: tracedSeam(tracing, extract, { extract: 'extract' }),
    ingest: tracedSeam(tracing, ingest, {
      addTexts: 'ingest',
      addFile: 'ingest',
      addUrl: 'ingest',
      addImage: 'ingest',
    }),
    search: tracedSeam(tracing, search, { find: 'find', search: 'find' }),
  }
}

/** Handlers of jobs, each run of which begins a trace. */
export function tracedHandlers(tracing: Tracing, handlers: JobHandlers): JobHandlers {
  if (!tracing.isOn) return handlers
  const traced = Object.entries(handlers).map(([type, handler]) => {
    const run = (work: JobWork) =>
      tracing.beginTrace(`job ${type}`, () => handler.run(work), {
        'recollect.job_id': work.job.id,
        'recollect.attempt': work.job.attempts,
      })
    return [type, { ...handler, run }] as const
  })
  return Object.fromEntries(traced)
}
