/** Why a child did not come to its end: it was stopped for its time or its memory, died by itself, or never began. */
export type StopReason =
  | { kind: 'time'; limitMs: number }
  /** `hadServed`: other tasks before, and what they left in its memory counts as well. */
  | { kind: 'memory'; limitBytes: number; hadServed: boolean }
  | { kind: 'crash'; detail: string }
  /** The system started no process: it has too many, too many open files, or too little memory. */
  | { kind: 'unstarted'; detail: string }
  /** Its place went to another task; this one begins again later. */
  | { kind: 'yielded' }
  /** The pool that it belongs to ends. */
  | { kind: 'closed' }

/** True where the task itself took too much, so that it would again. */
export function isGivenUp(reason: StopReason): boolean {
  return reason.kind === 'time' || (reason.kind === 'memory' && !reason.hadServed)
}

/** A task that ended with its process. */
export class ChildStopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`the child process stopped: ${'detail' in reason ? reason.detail : reason.kind}`)
    this.name = 'ChildStopped'
    this.reason = reason
  }
}

/** Why the rest of a file was not read, as the caller is told it: a sentence. `pages`: how many were read before. */
export function explainStop({ reason }: ChildStopped, pages: number): string {
  const after = afterPages(pages)
  if (reason.kind === 'time')
    return `Reading the file took more than ${Math.round(reason.limitMs / 1000)} s and was stopped${after}.`
  if (reason.kind === 'memory') {
    const mb = Math.round(reason.limitBytes / 1024 / 1024)
    return `Reading the file took more than ${mb} MB of memory and was stopped${after}.`
  }
  return `Reading the file failed${after}: the process that read it ended.`
}

/** The same where the process lives, but its reader threw what it should not. */
export function explainFault(pages: number): string {
  return `Reading the file failed${afterPages(pages)}: it is damaged in a way that its reader does not know.`
}

function afterPages(pages: number): string {
  return pages === 0 ? '' : ` after ${pages === 1 ? 'page 1' : `${pages} pages`}`
}
