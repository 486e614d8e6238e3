/** Uploads to all memories. They continue, and remain visible, while the user navigates. */
import { computed, effect, signal } from '@preact/signals'
import { randomName } from '../../client/send-request.ts'
import { formatBytes } from '../format.ts'
import { apiKey } from '../session.ts'
import { addFile, type Upload } from './add-file.ts'

/** Number of parallel uploads. More would only slow down each of them. */
const AT_ONCE = 3

/** Uploads to all memories, in order. */
export const uploads = signal<readonly Upload[]>([])
let running = 0

/** Increases when an upload ends, in any memory. */
export const ends = signal(0)

/** True while files are still being sent. Closing the page would lose them. */
const isSending = computed(() => uploads.value.some(({ phase }) => phase === 'waiting' || phase === 'sending'))

/** Queues files for a memory. Uploads have priority over other work there. */
export function takeFiles(memoryId: string, files: readonly File[]): void {
  const taken = files.map((file): Upload => {
    const [id, idempotencyKey] = [randomName(), randomName()]
    return { id, idempotencyKey, memoryId, file, phase: 'waiting', share: 0, note: formatBytes(file.size) }
  })
  const kept = uploads.value.filter((upload) => upload.memoryId !== memoryId || upload.phase !== 'done')
  uploads.value = [...kept, ...taken]
  work()
}

/** Retries failed uploads. */
export function sendAgain(failed: readonly Upload[]): void {
  const ids = new Set(failed.map(({ id }) => id))
  uploads.value = uploads.value.map((upload) =>
    ids.has(upload.id) ? { ...upload, phase: 'waiting', share: 0, note: '' } : upload,
  )
  work()
}

/** Removes files from the list, so that queued ones are not sent. Running uploads continue. */
export function dropFiles(unwanted: readonly Upload[]): void {
  const ids = new Set(unwanted.filter((upload) => !isUnderWay(upload)).map(({ id }) => id))
  uploads.value = uploads.value.filter(({ id }) => !ids.has(id))
}

/** Returns whether a file is being sent or processed. */
export function isUnderWay({ phase }: Upload): boolean {
  return phase === 'sending' || phase === 'reading'
}

function work(): void {
  while (running < AT_ONCE) {
    const next = uploads.value.find(({ phase }) => phase === 'waiting')
    if (next === undefined) return
    running += 1
    void bring(next)
  }
}

async function bring(upload: Upload): Promise<void> {
  await addFile(upload, (facts) => change(upload.id, facts))
  running -= 1
  ends.value += 1
  work()
}

function change(id: string, facts: Partial<Upload>): void {
  uploads.value = uploads.value.map((upload) => (upload.id === id ? { ...upload, ...facts } : upload))
}

// The next user must not see these uploads.
effect(() => {
  if (apiKey.value === null) uploads.value = []
})

function askFirst(event: Event): void {
  event.preventDefault()
}

effect(() => {
  if (!isSending.value) return
  window.addEventListener('beforeunload', askFirst)
  return () => window.removeEventListener('beforeunload', askFirst)
})
