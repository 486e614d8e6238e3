import { FolderUp, Link, Plus, Type, Upload } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { apiKey, mayWrite } from '../session.ts'
import { takeFiles } from './uploads.ts'

/** Every extension of `parsers/formats.ts`: file choosers grey out other files. */
const ACCEPT =
  '.pdf,.docx,.docm,.dotx,.dotm,.doc,.dot,.rtf,.xlsx,.xlsm,.xltx,.xltm,.xls,.xlt,' +
  '.pptx,.pptm,.ppsx,.ppsm,.potx,.potm,.ppt,.pps,.pot,' +
  '.odt,.ott,.fodt,.odm,.oth,.ods,.ots,.fods,.odp,.otp,.fodp,.epub,' +
  '.txt,.text,.log,.md,.markdown,.mdown,.mkd,.mdx,.csv,.tsv,.tab,.json,.geojson,.jsonl,.ndjson,' +
  '.html,.htm,.xhtml,.xml,.rss,.atom,.svg,.eml,.mbox,.gz,.zip,.png,.jpg,.jpeg,.webp,.gif,.tif,.tiff,.bmp'

/** A view that takes files and folders dropped anywhere on it. */
export function DropZone({ memoryId, children }: { memoryId: string; children: ComponentChildren }) {
  const [isOver, setOver] = useState(false)
  if (!mayWrite.value) return <>{children}</>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (event.dataTransfer) void takeDropped(memoryId, event.dataTransfer)
      }}
    >
      {children}
      {isOver && (
        <p class="drop-hint">
          <Icon of={Upload} /> Drop to add to this memory
        </p>
      )}
    </div>
  )
}

type AddProps = { memoryId: string; onAdd: (what: 'text' | 'url') => void }

/** Buttons that add files, a text or the content of a URL. */
export function AddButtons({ memoryId, onAdd }: AddProps) {
  const [files, folder] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  function take(input: HTMLInputElement) {
    // Hidden files such as .DS_Store and .git are not documents.
    takeFiles(
      memoryId,
      [...(input.files ?? [])].filter(({ name }) => !name.startsWith('.')),
    )
    input.value = ''
  }
  return (
    <div class="row add-buttons">
      <Menu
        label="Add"
        look="normal"
        entries={[
          { label: 'Add text', icon: Type, onSelect: () => onAdd('text') },
          { label: 'Add from URL', icon: Link, onSelect: () => onAdd('url') },
          { label: 'Add a folder', icon: FolderUp, onSelect: () => folder.current?.click() },
        ]}
      >
        <Icon of={Plus} /> Add
      </Menu>
      <button type="button" class="primary" onClick={() => files.current?.click()}>
        <Icon of={Upload} /> Upload files
      </button>
      {[files, folder].map((input) => (
        <input
          key={input === files ? 'files' : 'folder'}
          ref={input}
          type="file"
          multiple
          class="hidden"
          tabIndex={-1}
          aria-label={input === files ? 'Choose files' : 'Choose a folder'}
          {...(input === files ? { accept: ACCEPT } : { webkitdirectory: true })}
          onChange={(event) => take(event.currentTarget)}
        />
      ))}
    </div>
  )
}

/** Adds files of a folder as they are found. The user may change in the meantime. */
async function takeDropped(memoryId: string, dropped: DataTransfer): Promise<void> {
  const key = apiKey.value
  const files = await droppedFiles(dropped)
  if (apiKey.value === key) takeFiles(memoryId, files)
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
