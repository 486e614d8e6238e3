/** The files on their way to any memory. They go on, and are seen again, wherever in the console one goes meanwhile. */
import { computed, effect, signal } from '@preact/signals'
import { randomName } from '../client/send-request.ts'
import { addFile, type Upload } from './add-file.ts'
import { formatBytes } from './format.ts'
import { apiKey } from './session.ts'

/** More at a time only make each of them slower. */
const AT_ONCE = 3

const uploads = signal<readonly Upload[]>([])
let running = 0

/** Counts up when a file has come to its end, in whichever memory. */
export const ends = signal(0)

/** True while there are files whose bytes have not all been sent: they are lost with the page. */
const isSending = computed(() => uploads.value.some(({ phase }) => phase === 'waiting' || phase === 'sending'))

/** The files of a memory, as they were taken. */
export function uploadsOf(memoryId: string): readonly Upload[] {
  return uploads.value.filter((upload) => upload.memoryId === memoryId)
}

/** Takes files for a memory, some at a time under way; what is done there gives way to them. */
export function takeFiles(memoryId: string, files: readonly File[]): void {
  const taken = files.map((file): Upload => {
    const [id, idempotencyKey] = [randomName(), randomName()]
    return { id, idempotencyKey, memoryId, file, phase: 'waiting', share: 0, note: formatBytes(file.size) }
  })
  const kept = uploads.value.filter((upload) => upload.memoryId !== memoryId || upload.phase !== 'done')
  uploads.value = [...kept, ...taken]
  work()
}

/** Sends files again that failed. */
export function sendAgain(failed: readonly Upload[]): void {
  const ids = new Set(failed.map(({ id }) => id))
  uploads.value = uploads.value.map((upload) =>
    ids.has(upload.id) ? { ...upload, phase: 'waiting', share: 0, note: '' } : upload,
  )
  work()
}

/** Takes files off the list, which are then not sent; what is under way goes on. */
export function dropFiles(unwanted: readonly Upload[]): void {
  const ids = new Set(unwanted.filter((upload) => !isUnderWay(upload)).map(({ id }) => id))
  uploads.value = uploads.value.filter(({ id }) => !ids.has(id))
}

/** True of a file whose bytes are sent or read. */
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

// Whoever signs in next has nothing to do with them.
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
