/** Something to add: a file, what a URL names, or standard input; `name` is what the person called it. */
export type Source =
  | { kind: 'file'; name: string; path: string }
  | { kind: 'url'; name: string; url: string }
  | { kind: 'input'; name: string; content: Uint8Array }

/** What became of it. */
export type Outcome = {
  source: string
  /**
   * `added` and `partial` are there now; `duplicate`: much like another document; `skipped`: there already; `accepted`: a job reads it,
   * which was not waited for.
   */
  status: 'added' | 'partial' | 'duplicate' | 'skipped' | 'accepted' | 'failed'
  documentIds: readonly string[]
  jobId: string | null
  /** What there is to say of it, in a sentence; `null` where the status says it all. */
  message: string | null
}
