import { useRef, useState } from 'preact/hooks'
import type { Upload } from '../add-file.ts'
import { formatCount, pluralize } from '../format.ts'
import { apiKey } from '../session.ts'
import { dropFiles, isUnderWay, sendAgain, takeFiles, uploadsOf } from '../uploads.ts'

/** Every extension of `parsers/formats.ts`: file choosers grey out other files. */
const ACCEPT =
  '.pdf,.docx,.docm,.dotx,.dotm,.doc,.dot,.rtf,.xlsx,.xlsm,.xltx,.xltm,.xls,.xlt,' +
  '.pptx,.pptm,.ppsx,.ppsm,.potx,.potm,.ppt,.pps,.pot,' +
  '.odt,.ott,.fodt,.odm,.oth,.ods,.ots,.fods,.odp,.otp,.fodp,.epub,' +
  '.txt,.text,.log,.md,.markdown,.mdown,.mkd,.mdx,.csv,.tsv,.tab,.json,.geojson,.jsonl,.ndjson,' +
  '.html,.htm,.xhtml,.xml,.rss,.atom,.svg,.eml,.mbox,.gz,.zip,.png,.jpg,.jpeg,.webp,.gif,.tif,.tiff,.bmp'

/** Upload area with a progress bar per file: first sending, then processing. */
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
            choose files
          </button>
        </p>
        <p class="quiet">PDF, scans, Office, web pages, tables, text, images and ZIP archives; up to 100 MB each</p>
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

/** Adds files of a folder as they are found. The user may change in the meantime. */
async function takeDropped(memoryId: string, dropped: DataTransfer): Promise<void> {
  const key = apiKey.value
  const files = await droppedFiles(dropped)
  if (apiKey.value === key) takeFiles(memoryId, files)
}

/** Maximum number of rows. More would hide the documents below and slow down the browser. */
const MAX_ROWS = 30

/** Uploads to a memory in rows. In long lists, running and failed uploads come first. */
function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  const isLong = uploads.length > MAX_ROWS
  const rows = isLong ? uploads.filter(({ phase }) => phase !== 'waiting' && phase !== 'done') : uploads
  return (
    <>
      {uploads.length > 0 && <Summary uploads={uploads} />}
      <ul class="uploads">
        {rows.slice(0, MAX_ROWS).map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
      {rows.length > MAX_ROWS && <p class="quiet">and {formatCount(rows.length - MAX_ROWS)} more</p>}
    </>
  )
}

/** Overall progress, with actions for all uploads. */
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
          Cancel queued files
        </button>
      )}
      {failed.length > 1 && (
        <button type="button" onClick={() => sendAgain(failed)}>
          Retry all failed
        </button>
      )}
      {!uploads.some(isUnderWay) && waiting.length === 0 && (
        <button type="button" onClick={() => dropFiles(uploads)}>
          Clear list
        </button>
      )}
    </div>
  )
}

/** Returns whether a file failed for a reason other than its content. */
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
        <button type="button" aria-label={`Retry ${file.name}`} onClick={() => sendAgain([upload])}>
          Retry
        </button>
      )}
    </li>
  )
}

/** Lists dropped files, including those in folders. Must be called during the drop event. */
async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  // The browser withdraws access to the entries after the first await.
  const entries = [...items].map((item) => item.webkitGetAsEntry())
  const loose = [...files]
  if (!entries.some((entry) => entry?.isDirectory)) return loose
  return (await Promise.all(entries.map((entry) => (entry === null ? [] : readable(entry))))).flat()
}

/** Skips unreadable entries, so that the rest of the drop is added. */
async function readable(entry: FileSystemEntry): Promise<File[]> {
  return filesOf(entry).catch(() => [])
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: File[] = []
  for (;;) {
    // `readEntries` returns batches, and an empty one at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    // Hidden files such as .DS_Store and .git are not documents.
    for (const inner of some) if (!inner.name.startsWith('.')) found.push(...(await readable(inner)))
  }
}
