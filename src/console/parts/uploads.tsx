import { useRef, useState } from 'preact/hooks'
import { droppedFiles } from '../dropped-files.ts'
import { apiKey } from '../session.ts'
import { takeFiles, uploadsOf } from '../uploads.ts'
import { UploadList } from './upload-list.tsx'

const ACCEPT =
  '.pdf,.docx,.doc,.xlsx,.pptx,.ppt,.txt,.csv,.tsv,.log,.json,.jsonl,.ndjson,.html,.htm,.xml,.eml,.mbox,.md,.markdown,.png,.jpg,.jpeg,.webp,.gif,.tif,.tiff,.bmp'

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
          if (event.dataTransfer) void takeDropped(memoryId, event.dataTransfer)
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
      <UploadList uploads={uploadsOf(memoryId)} />
    </section>
  )
}

/** Those of a folder are found one after the other; whoever signs in meanwhile has nothing to do with them. */
async function takeDropped(memoryId: string, dropped: DataTransfer): Promise<void> {
  const key = apiKey.value
  const files = await droppedFiles(dropped)
  if (apiKey.value === key) takeFiles(memoryId, files)
}
