const GIGABYTE = 1024 ** 3
/** What a child that reads a document may take (`parsers/child`). */
const MEMORY_A_JOB_BYTES = GIGABYTE
/** The service itself, with its models and caches open. */
const MEMORY_OF_SERVICE_BYTES = GIGABYTE / 2
/** Beside requests two jobs at a time; a process that does nothing else has one a processor, up to the children that read. */
const MOST_BESIDE_REQUESTS = 2
const MOST_ALONE = 4

/** What a process has to work with: `memoryBytes` is what it may take, by its container or its machine. */
export type Means = { cores: number; memoryBytes: number; servesRequests: boolean }

/** Jobs a process works on at a time: as many as the memory has room for, at least one. */
export function chooseConcurrency({ cores, memoryBytes, servesRequests }: Means): number {
  const most = servesRequests ? MOST_BESIDE_REQUESTS : Math.min(Math.max(cores, MOST_BESIDE_REQUESTS), MOST_ALONE)
  const room = Math.floor((memoryBytes - MEMORY_OF_SERVICE_BYTES) / MEMORY_A_JOB_BYTES)
  return Math.max(1, Math.min(most, room))
}
