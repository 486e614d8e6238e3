import { useState } from 'preact/hooks'
import type { Correction, Outranked } from '../../../client/resources.ts'
import { Skeleton } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { toPlainText } from '../../reading/marked-text.tsx'
import type { Place } from '../../reading/passage.tsx'
import { linkTo } from '../../route.ts'
import { Differences, splitAtNearest } from './differences.tsx'

type OverriddenProps = {
  correction: Correction
  passages: readonly Outranked[] | undefined
  onOpen: (place: Place) => void
}

/** Passages that are shown before the others are asked for. */
const FIRST_PASSAGES = 3

/** The passages with the words that differ; those of the last search open at their place. */
export function Overridden({ correction, passages, onOpen }: OverriddenProps) {
  const [hasAll, setAll] = useState(false)
  const { lastOutranked } = correction
  if (passages === undefined) return <Skeleton rows={3} />
  const shown = hasAll ? passages : passages.slice(0, FIRST_PASSAGES)
  return (
    <div class="overridden">
      <h2>Overrides</h2>
      {passages.length === 0 && <p class="quiet">No passage of a document says something like it.</p>}
      <ol>
        {shown.map((passage) => (
          <OverriddenPassage key={passage.chunkId} correction={correction} passage={passage} onOpen={onOpen} />
        ))}
      </ol>
      {shown.length < passages.length && (
        <button type="button" class="quiet small" onClick={() => setAll(true)}>
          {passages.length - shown.length} more
        </button>
      )}
      {lastOutranked !== null && (
        <p class="faint">
          Last overrode in a search <Time at={lastOutranked.at} />
        </p>
      )}
    </div>
  )
}

type PassageProps = { correction: Correction; passage: Outranked; onOpen: (place: Place) => void }

function OverriddenPassage({ correction, passage, onOpen }: PassageProps) {
  const { memoryId, statement, lastOutranked } = correction
  const { chunkId, documentId, title, page, snippet } = passage
  const place = lastOutranked?.passages.find((other) => other.chunkId === chunkId)
  const [before, sentence, behind] = splitAtNearest(toPlainText(snippet), statement)
  const name = page === null ? title : `${title}, page ${page}`
  return (
    <li>
      {place === undefined ? (
        <a dir="auto" href={linkTo('memories', memoryId, 'documents', documentId)}>
          {name}
        </a>
      ) : (
        <button type="button" class="link" dir="auto" onClick={() => onOpen({ memoryId, ...place })}>
          {name}
        </button>
      )}
      <p class="excerpt" dir="auto">
        <span class="quiet">{endOf(before)}</span>
        <Differences text={sentence} other={statement} as="del" />
        <span class="quiet">{behind}</span>
      </p>
    </li>
  )
}

/** Characters shown before the sentence that is compared. */
const MAX_BEFORE = 80

/** The last words of a text. */
function endOf(text: string): string {
  return text.length <= MAX_BEFORE ? text : text.slice(-MAX_BEFORE).replace(/^\S*/, '…')
}
