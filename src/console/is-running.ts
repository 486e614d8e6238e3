/** True for a job, or a document, that waits or is at work. */
export function isRunning({ status }: { status: string }): boolean {
  return status === 'pending' || status === 'processing'
}
