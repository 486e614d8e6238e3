import { useRef, useState } from 'preact/hooks'
import type { Job } from '../../client/resources.ts'
import { countOf, formatBytes } from '../format.ts'
import { sendFile } from '../send-file.ts'
import { apiKey, client } from '../session.ts'
import { describe } from './notice.tsx'

/** A file on its way: sent, then read by a job where that takes long, then done or refused. */
type Upload = {
  id: number
  file: File
  phase: 'waiting' | 'sending' | 'reading' | 'done' | 'partial' | 'failed'
  /** 0 to 1 of the phase. */
  share: number
  note: string
}

/** More at a time only make each of them slower. */
const AT_ONCE = 3
const ACCEPT =
  '.pdf,.docx,.doc,.xlsx,.pptx,.ppt,.txt,.csv,.tsv,.log,.json,.jsonl,.ndjson,.html,.htm,.xml,.md,.markdown,.png,.jpg,.jpeg,.webp,.gif,.tif,.tiff,.bmp'

/** Files dropped or chosen, each with its own progress: first the bytes, then the reading. */
export function Uploads({ memoryId, onAdded }: { memoryId: string; onAdded: () => void }) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const waiting = useRef<Upload[]>([])
  const running = useRef(0)

  function change(id: number, facts: Partial<Upload>) {
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...facts } : upload)))
  }

  async function work(): Promise<void> {
    if (running.current >= AT_ONCE) return
    const next = waiting.current.shift()
    if (next === undefined) return
    running.current += 1
    await addFile(memoryId, next.file, (facts) => change(next.id, facts))
    running.current -= 1
    onAdded()
    await work()
  }

  function take(files: FileList | null) {
    const taken = [...(files ?? [])].map((file): Upload => {
      return { id: Math.random(), file, phase: 'waiting', share: 0, note: formatBytes(file.size) }
    })
    setUploads((before) => [...before.filter(({ phase }) => phase !== 'done'), ...taken])
    waiting.current.push(...taken)
    for (let at = 0; at < AT_ONCE; at += 1) void work()
  }

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
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  )
}

function UploadRow({ upload: { file, phase, share, note } }: { upload: Upload }) {
  const isMoving = phase === 'sending' || phase === 'reading'
  return (
    <li>
      <span class="name">{file.name}</span>
      <span class={`state ${phase}`}>{phase}</span>
      {isMoving && <progress max={1} value={share} aria-label={`${file.name}: ${phase}`} />}
      <span class="quiet" role={phase === 'failed' ? 'alert' : 'status'}>
        {note}
      </span>
    </li>
  )
}

async function addFile(memoryId: string, file: File, tell: (facts: Partial<Upload>) => void): Promise<void> {
  try {
    tell({ phase: 'sending' })
    const answer = await sendFile({
      memoryId,
      file,
      options: { storeSource: true },
      apiKey: apiKey.value ?? '',
      onProgress: (share) => tell(share < 1 ? { share } : { phase: 'reading', share: 0, note: 'being read' }),
      signal: new AbortController().signal,
    })
    if ('jobId' in answer) return await followJob(answer.jobId, tell)
    const [document] = answer.documents
    if (document?.status === 'duplicate') tell({ phase: 'done', note: 'was there already' })
    else {
      const missing = answer.warnings.map(({ message }) => message).join(' ')
      const phase = document?.status === 'partial' ? 'partial' : 'done'
      tell({ phase, note: `${countOf(answer.chunksCreated, 'passage')} can be found. ${missing}` })
    }
  } catch (error) {
    const { message, remedy } = describe(error)
    tell({ phase: 'failed', note: `${message} ${remedy}` })
  }
}

async function followJob(jobId: string, tell: (facts: Partial<Upload>) => void): Promise<void> {
  const onProgress = ({ progress, message }: Job) => tell({ phase: 'reading', share: progress / 100, note: message })
  const job = await client.value.jobs.wait(jobId, { onProgress })
  if (job.status === 'failed') tell({ phase: 'failed', note: job.error ?? job.message })
  else if (job.status === 'partial') tell({ phase: 'partial', note: job.message })
  else tell({ phase: 'done', note: `${countOf(job.result?.chunksCreated ?? 0, 'passage')} can be found.` })
}
