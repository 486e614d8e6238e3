import { ApiError } from '../../errors.ts'

/** Why a child did not come to its end: it was stopped for its time or its memory, or it died by itself. */
export type StopReason =
  | { kind: 'time'; limitMs: number }
  | { kind: 'memory'; limitBytes: number }
  | { kind: 'crash'; detail: string }

/** A task that ended with its process. */
export class ChildStopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`the child process stopped: ${reason.kind === 'crash' ? reason.detail : reason.kind}`)
    this.name = 'ChildStopped'
    this.reason = reason
  }
}

/** The same as the caller is told it. `pages`: how many were read before. */
export function explainStop(stopped: ChildStopped, pages: number): ApiError {
  const after = pages === 0 ? '' : ` after ${pages === 1 ? 'page 1' : `${pages} pages`}`
  return new ApiError('unprocessable_document', { message: `${describe(stopped.reason)}${after}.`, cause: stopped })
}

function describe(reason: StopReason): string {
  if (reason.kind === 'time')
    return `Reading the file took more than ${Math.round(reason.limitMs / 1000)} s and was stopped`
  if (reason.kind === 'memory') {
    return `Reading the file took more than ${Math.round(reason.limitBytes / 1024 / 1024)} MB of memory and was stopped`
  }
  return 'Reading the file failed: the process that read it ended'
}
