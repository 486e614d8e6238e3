import { useRef, useState } from 'preact/hooks'
import type { Upload } from '../add-file.ts'
import { formatCount, pluralize } from '../format.ts'
import { apiKey } from '../session.ts'
import { dropFiles, isUnderWay, sendAgain, takeFiles, uploadsOf } from '../uploads.ts'

const ACCEPT =
  '.pdf,.docx,.doc,.xlsx,.pptx,.ppt,.txt,.csv,.tsv,.log,.json,.jsonl,.ndjson,.html,.htm,.xml,.eml,.mbox,' +
  '.md,.markdown,.png,.jpg,.jpeg,.webp,.gif,.tif,.tiff,.bmp'

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

/** More rows hide the documents below them, and make a browser slow. */
const MOST_ROWS = 30

/** The files on their way into a memory, in rows; of very many those that are under way or want a look, and how far they all are. */
function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  const isLong = uploads.length > MOST_ROWS
  const rows = isLong ? uploads.filter(({ phase }) => phase !== 'waiting' && phase !== 'done') : uploads
  return (
    <>
      {uploads.length > 0 && <Summary uploads={uploads} />}
      <ul class="uploads">
        {rows.slice(0, MOST_ROWS).map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
      {rows.length > MOST_ROWS && <p class="quiet">and {formatCount(rows.length - MOST_ROWS)} more</p>}
    </>
  )
}

/** How many have come how far, and what can be done with all of them. */
function Summary({ uploads }: { uploads: readonly Upload[] }) {
  const [waiting, failed] = [uploads.filter(({ phase }) => phase === 'waiting'), uploads.filter(maySendAgain)]
  const count = (...phases: Upload['phase'][]) => uploads.filter(({ phase }) => phases.includes(phase)).length
  const [done, refused] = [count('done', 'partial'), count('failed')]
  return (
    <div class="row">
      <span class="quiet">
        {formatCount(done)} of {pluralize(uploads.length, 'file')} done
        {refused > 0 && `, ${formatCount(refused)} failed`}
        {waiting.length > 0 && `, ${formatCount(waiting.length)} waiting`}
      </span>
      {waiting.length > 0 && (
        <button type="button" onClick={() => dropFiles(waiting)}>
          Do not send the rest
        </button>
      )}
      {failed.length > 1 && (
        <button type="button" onClick={() => sendAgain(failed)}>
          Send all that failed again
        </button>
      )}
      {!uploads.some(isUnderWay) && waiting.length === 0 && (
        <button type="button" onClick={() => dropFiles(uploads)}>
          Clear the list
        </button>
      )}
    </div>
  )
}

/** True of a file that failed by nothing that is its own. */
function maySendAgain({ phase, isFinal = false }: Upload): boolean {
  return phase === 'failed' && !isFinal
}

function UploadRow({ upload }: { upload: Upload }) {
  const { file, phase, share, note } = upload
  return (
    <li>
      <span class="name" dir="auto">
        {file.name}
      </span>
      <span class={`state ${phase}`}>{phase}</span>
      {isUnderWay(upload) && <progress max={1} value={share} aria-label={`${file.name}: ${phase}`} />}
      <span class="quiet" role={phase === 'failed' ? 'alert' : 'status'}>
        {note}
      </span>
      {maySendAgain(upload) && (
        <button type="button" aria-label={`Send ${file.name} again`} onClick={() => sendAgain([upload])}>
          Send again
        </button>
      )}
    </li>
  )
}

/** The files that were dropped, those of a folder and its folders with them as far as they can be read. Has to be called while the drop is handled. */
async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  // Behind the first pause the browser gives none of them away any more.
  const entries = [...items].map((item) => item.webkitGetAsEntry())
  const loose = [...files]
  if (!entries.some((entry) => entry?.isDirectory)) return loose
  return (await Promise.all(entries.map((entry) => (entry === null ? [] : readable(entry))))).flat()
}

/** None of what cannot be read, so that the rest of the drop is taken. */
async function readable(entry: FileSystemEntry): Promise<File[]> {
  return filesOf(entry).catch(() => [])
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: File[] = []
  for (;;) {
    // It gives some at a time, and none at its end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    // What systems and programs keep for themselves is no document: .DS_Store, .git.
    for (const inner of some) if (!inner.name.startsWith('.')) found.push(...(await readable(inner)))
  }
}
