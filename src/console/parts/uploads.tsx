import { useRef, useState } from 'preact/hooks'
import type { Upload } from '../add-file.ts'
import { droppedFiles } from '../dropped-files.ts'
import { sendAgain, takeFiles, uploadsOf } from '../uploads.ts'

const ACCEPT =
  '.pdf,.docx,.doc,.xlsx,.pptx,.ppt,.txt,.csv,.tsv,.log,.json,.jsonl,.ndjson,.html,.htm,.xml,.md,.markdown,.png,.jpg,.jpeg,.webp,.gif,.tif,.tiff,.bmp'

/** Files dropped or chosen, each with its own progress: first the bytes, then the reading. */
export function Uploads({ memoryId }: { memoryId: string }) {
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
          if (event.dataTransfer) void droppedFiles(event.dataTransfer).then((files) => takeFiles(memoryId, files))
        }}
      >
        <p>
          Drop files or folders here, or{' '}
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
            takeFiles(memoryId, [...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
      </div>
      <ul class="uploads">
        {uploadsOf(memoryId).map((upload) => (
          <UploadRow key={upload.id} upload={upload} onAgain={() => sendAgain(upload)} />
        ))}
      </ul>
    </section>
  )
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
