import { useRef, useState } from 'preact/hooks'
import { randomName } from '../../client/random-name.ts'
import { addFile, type Upload } from '../add-file.ts'
import { formatBytes } from '../format.ts'

/** More at a time only make each of them slower. */
const AT_ONCE = 3
const ACCEPT =
  '.pdf,.docx,.doc,.xlsx,.pptx,.ppt,.txt,.csv,.tsv,.log,.json,.jsonl,.ndjson,.html,.htm,.xml,.md,.markdown,.png,.jpg,.jpeg,.webp,.gif,.tif,.tiff,.bmp'

/** Files dropped or chosen, each with its own progress: first the bytes, then the reading. */
export function Uploads({ memoryId, onAdded }: { memoryId: string; onAdded: () => void }) {
  const { uploads, take, sendAgain } = useUploads(memoryId, onAdded)
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  return (
    <section aria-label="Upload">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same */}
      <div
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer?.files ?? null)
        }}
      >
        <p>
          Drop files here, or{' '}
          <button type="button" class="link" onClick={() => input.current?.click()}>
            choose some
          </button>
        </p>
        <p class="quiet">PDF, scans, Office, web pages, tables, text and pictures; 100 MB each</p>
        <input
          ref={input}
          type="file"
          multiple
          accept={ACCEPT}
          class="hidden"
          aria-label="Choose files"
          tabIndex={-1}
          onChange={(event) => {
            take(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
      </div>
      <ul class="uploads">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onAgain={() => sendAgain(upload)} />
        ))}
      </ul>
    </section>
  )
}

/** The files that were taken, some at a time under way; what is done gives way to the next that are taken. */
function useUploads(memoryId: string, onAdded: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const waiting = useRef<Upload[]>([])
  const running = useRef(0)

  function change(id: string, facts: Partial<Upload>) {
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...facts } : upload)))
  }

  async function work(): Promise<void> {
    if (running.current >= AT_ONCE) return
    const next = waiting.current.shift()
    if (next === undefined) return
    running.current += 1
    await addFile(memoryId, next, (facts) => change(next.id, facts))
    running.current -= 1
    onAdded()
    await work()
  }

  function take(files: FileList | null) {
    const taken = [...(files ?? [])].map((file): Upload => {
      const [id, idempotencyKey] = [randomName(), randomName()]
      return { id, idempotencyKey, file, phase: 'waiting', share: 0, note: formatBytes(file.size) }
    })
    setUploads((before) => [...before.filter(({ phase }) => phase !== 'done'), ...taken])
    queue(taken)
  }

  function queue(taken: readonly Upload[]) {
    waiting.current.push(...taken)
    for (let at = 0; at < AT_ONCE; at += 1) void work()
  }

  function sendAgain(upload: Upload) {
    change(upload.id, { phase: 'waiting', share: 0, note: '' })
    queue([upload])
  }

  return { uploads, take, sendAgain }
}

function UploadRow({ upload, onAgain }: { upload: Upload; onAgain: () => void }) {
  const { file, phase, share, note, isFinal = false } = upload
  const isMoving = phase === 'sending' || phase === 'reading'
  return (
    <li>
      <span class="name" dir="auto">
        {file.name}
      </span>
      <span class={`state ${phase}`}>{phase}</span>
      {isMoving && <progress max={1} value={share} aria-label={`${file.name}: ${phase}`} />}
      <span class="quiet" role={phase === 'failed' ? 'alert' : 'status'}>
        {note}
      </span>
      {phase === 'failed' && !isFinal && (
        <button type="button" aria-label={`Send ${file.name} again`} onClick={onAgain}>
          Send again
        </button>
      )}
    </li>
  )
}
