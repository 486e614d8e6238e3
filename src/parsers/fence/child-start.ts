import type { FenceReport } from './raise-fence.ts'

/** What a child is told when it starts, as JSON in its first argument. */
export type ChildStart = {
  /** URL of the module whose `tasks` it does. */
  tasksModule: string
  parentPid: number
  /** Folders and files that it reads, beside the program's own. */
  readable: readonly string[]
  /** Its environment, as `NAME=value`. */
  environment: readonly string[]
  /** What came of the fence; absent before it is put up. */
  fence?: FenceReport
}
