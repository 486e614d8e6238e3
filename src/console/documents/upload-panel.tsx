import { effect, signal } from '@preact/signals'
import { ChevronDown, ChevronUp, CircleAlert, CircleCheck, Upload as UploadIcon, X } from 'lucide'
import { formatCount, pluralize } from '../format.ts'
import { memoryNames } from '../memory-list.ts'
import { FileIcon } from '../parts/file-icon.tsx'
import { Icon } from '../parts/icon.tsx'
import { linkTo } from '../route.ts'
import type { Upload } from './add-file.ts'
import { dropFiles, isUnderWay, sendAgain, uploads } from './uploads.ts'

/** Maximum number of rows of a memory. More would slow down the browser. */
const MAX_ROWS = 30

/** Time after which the list of a complete upload closes, so that nothing is covered for long. */
const SHOWN_MS = 5000

const isOpen = signal(true)
let before = 0

// New files open the list; it closes when all of them are there and none failed.
effect(() => {
  const { length } = uploads.value
  if (length > before) isOpen.value = true
  before = length
  if (length === 0 || uploads.value.some(({ phase }) => phase !== 'done')) return
  const timer = setTimeout(() => {
    isOpen.value = false
  }, SHOWN_MS)
  return () => clearTimeout(timer)
})

/** Uploads to all memories, docked at the edge of the window: progress, failures, results. */
export function UploadPanel() {
  const all = uploads.value
  if (all.length === 0) return null
  const memories = [...new Set(all.map(({ memoryId }) => memoryId))]
  const isBusy = all.some(isPending)
  return (
    <section class="upload-panel" aria-label="Uploads">
      <header>
        <Title all={all} />
        <button
          type="button"
          class="plain square small"
          aria-expanded={isOpen.value}
          aria-label={isOpen.value ? 'Hide the files' : 'Show the files'}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon of={isOpen.value ? ChevronDown : ChevronUp} />
        </button>
        {!isBusy && (
          <button
            type="button"
            class="plain square small"
            aria-label="Clear list"
            title="Clear list"
            onClick={() => dropFiles(all)}
          >
            <Icon of={X} />
          </button>
        )}
      </header>
      {isBusy && <progress max={1} value={overallShare(all)} aria-label="All uploads" />}
      {isOpen.value && (
        <div class="body">
          {memories.map((memoryId) => (
            <Group key={memoryId} memoryId={memoryId} uploads={all.filter((upload) => upload.memoryId === memoryId)} />
          ))}
        </div>
      )}
    </section>
  )
}

function isPending({ phase }: Upload): boolean {
  return phase === 'waiting' || phase === 'sending' || phase === 'reading'
}

/** Sending counts for most of a file. Small and large files count alike. */
function overallShare(all: readonly Upload[]): number {
  const shares = all.map(({ phase, share }) => {
    if (phase === 'waiting') return 0
    if (phase === 'sending') return share * 0.6
    return phase === 'reading' ? 0.6 + share * 0.4 : 1
  })
  return shares.reduce((sum, share) => sum + share, 0) / all.length
}

function Title({ all }: { all: readonly Upload[] }) {
  const [pending, failed] = [all.filter(isPending).length, all.filter(({ phase }) => phase === 'failed').length]
  const [icon, look, text] =
    pending > 0
      ? ([UploadIcon, '', `Adding ${pluralize(pending, 'file')}`] as const)
      : failed > 0
        ? ([CircleAlert, 'bad', `${formatCount(failed)} of ${pluralize(all.length, 'file')} failed`] as const)
        : ([CircleCheck, 'good', `${pluralize(all.length, 'file')} added`] as const)
  return (
    <h2 class={look}>
      <Icon of={icon} /> {text}
    </h2>
  )
}

/** Uploads to one memory. In long lists, running and failed uploads come first. */
function Group({ memoryId, uploads: all }: { memoryId: string; uploads: readonly Upload[] }) {
  const isLong = all.length > MAX_ROWS
  const rows = isLong ? all.filter(({ phase }) => phase !== 'waiting' && phase !== 'done') : all
  return (
    <>
      <Summary memoryId={memoryId} all={all} />
      <ul class="uploads">
        {rows.slice(0, MAX_ROWS).map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
      {rows.length > MAX_ROWS && <p class="faint">and {formatCount(rows.length - MAX_ROWS)} more</p>}
    </>
  )
}

/** Progress of a memory, with actions for all its uploads. */
function Summary({ memoryId, all }: { memoryId: string; all: readonly Upload[] }) {
  const [waiting, failed] = [all.filter(({ phase }) => phase === 'waiting'), all.filter(maySendAgain)]
  const count = (...phases: Upload['phase'][]) => all.filter(({ phase }) => phases.includes(phase)).length
  const [done, refused] = [count('done', 'partial'), count('failed')]
  return (
    <div class="summary">
      <a class="one-line" href={linkTo('memories', memoryId, 'documents')}>
        <bdi>{memoryNames.value.get(memoryId) ?? 'Memory'}</bdi>
      </a>
      <span class="faint">
        {formatCount(done)} of {pluralize(all.length, 'file')} done
        {refused > 0 && `, ${formatCount(refused)} failed`}
        {waiting.length > 0 && `, ${formatCount(waiting.length)} waiting`}
      </span>
      {waiting.length > 0 && (
        <button type="button" class="quiet small" onClick={() => dropFiles(waiting)}>
          Cancel queued files
        </button>
      )}
      {failed.length > 1 && (
        <button type="button" class="quiet small" onClick={() => sendAgain(failed)}>
          Retry all failed
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
  const { file, phase, share, note, memoryId, documentIds = [] } = upload
  const [documentId] = documentIds
  return (
    <li>
      <FileIcon mimeType={file.type || file.name} />
      <div class="what">
        {documentId === undefined ? (
          <span class="name one-line" dir="auto" title={file.name}>
            {file.name}
          </span>
        ) : (
          <a
            class="name one-line"
            dir="auto"
            title={file.name}
            href={linkTo('memories', memoryId, 'documents', ...(documentIds.length === 1 ? [documentId] : []))}
          >
            {file.name}
          </a>
        )}
        <p class="faint" role={phase === 'failed' ? 'alert' : 'status'}>
          {note}
        </p>
      </div>
      <span class={`state ${phase}`}>{phase}</span>
      {maySendAgain(upload) && (
        <button type="button" class="small" aria-label={`Retry ${file.name}`} onClick={() => sendAgain([upload])}>
          Retry
        </button>
      )}
      {isUnderWay(upload) && <progress max={1} value={share} aria-label={`${file.name}: ${phase}`} />}
    </li>
  )
}
