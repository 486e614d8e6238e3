import type { Upload } from '../add-file.ts'
import { countOf, formatCount } from '../format.ts'
import { dropFiles, isUnderWay, sendAgain } from '../uploads.ts'

/** More rows hide the documents below them, and make a browser slow. */
const MOST_ROWS = 30

/** The files on their way into a memory, in rows; of very many those that are under way or want a look, and how far they all are. */
export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
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
        {formatCount(done)} of {countOf(uploads.length, 'file')} done
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
