import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { Correction, Outranked } from '../../client/resources.ts'
import { formatTime } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Empty } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Confirmed } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { PageTurner, usePages } from '../parts/page-turner.tsx'
import { MarkedSnippet } from '../reading/marked-text.tsx'
import { Passage, type Place } from '../reading/passage.tsx'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'

/** Corrections of a memory with the passages they outrank, and a form to add one. */
export function Corrections({ memoryId }: { memoryId: string }) {
  const [made, setMade] = useState<Correction | null>(null)
  const [place, setPlace] = useState<Place | null>(null)
  const pages = usePages()
  const [withOutranked, setWithOutranked] = useState(false)
  const { value, error, reload } = useLoad(
    (signal) => {
      const include = withOutranked ? ({ include: 'outranks' } as const) : {}
      return client.value.corrections.listPage(memoryId, { limit: 50, ...include, ...pages.query }, { signal })
    },
    [memoryId, withOutranked, pages.query],
  )
  return (
    <>
      <CorrectionForm
        memoryId={memoryId}
        onMade={(correction) => {
          setMade(correction)
          reload()
        }}
      />
      {made && (
        <div role="status">
          <p>
            <span class="state ready">added</span> {made.outranks?.length ? 'Overrides:' : 'No matching passages.'}
          </p>
          <OutrankedPassages memoryId={memoryId} passages={made.outranks ?? []} />
        </div>
      )}
      <Notice error={error} onRetry={reload} />
      {value?.total === 0 && (
        <Empty title="No corrections">
          <p>Corrections rank above documents for matching questions.</p>
        </Empty>
      )}
      {value !== null && value.total > 0 && (
        <label class="choice">
          <input type="checkbox" onChange={(event) => setWithOutranked(event.currentTarget.checked)} /> Show overridden
          passages
        </label>
      )}
      <ul class="list">
        {value?.corrections.map((correction) => (
          <CorrectionRow key={correction.id} correction={correction} onChange={reload} onOpen={setPlace} />
        ))}
      </ul>
      {value && <PageTurner pages={pages} nextCursor={value.nextCursor} />}
      {place && <Passage place={place} onClose={() => setPlace(null)} />}
    </>
  )
}

function CorrectionForm({ memoryId, onMade }: { memoryId: string; onMade: (made: Correction) => void }) {
  async function add(fields: FormData) {
    const topics = textOf(fields, 'topics')
      .split(',')
      .map((topic) => topic.trim())
    const until = textOf(fields, 'until')
    const statement = textOf(fields, 'statement')
    const expiresAt = until === '' ? {} : { expiresAt: new Date(until).toISOString() }
    onMade(await client.value.corrections.add(memoryId, { statement, topics: topics.filter(Boolean), ...expiresAt }))
  }
  return (
    <Form label="Add correction" clears action={add}>
      <label>
        Correct statement
        <textarea name="statement" dir="auto" rows={2} required placeholder="Since May the office closes at 18:00." />
      </label>
      <label>
        Topics <span class="quiet">(comma-separated; also match these words)</span>
        <input name="topics" dir="auto" autocomplete="off" />
      </label>
      <label>
        Expires <span class="quiet">(optional)</span>
        <input name="until" type="datetime-local" />
      </label>
    </Form>
  )
}

type RowProps = { correction: Correction; onChange: () => void; onOpen: (place: Place) => void }

function CorrectionRow({ correction, onChange, onOpen }: RowProps) {
  const { id, memoryId, statement, topics, boost, createdBy, createdAt, expiresAt, isExpired, outranks } = correction
  const by = createdBy?.name ?? createdBy?.keyId
  return (
    <li>
      <div>
        <p dir="auto">{statement}</p>
        <p class="quiet">
          {isExpired && <span class="state failed">expired</span>}{' '}
          {topics.map((topic) => (
            <span class="tag" key={topic} dir="auto">
              {topic}
            </span>
          ))}{' '}
          boost {boost} · {formatTime(createdAt)}
          {by !== undefined && (
            <>
              {' '}
              by <bdi>{by}</bdi>
            </>
          )}
          {expiresAt !== null && ` · expires ${formatTime(expiresAt)}`}
        </p>
        {outranks !== null && outranks.length > 0 && <OutrankedPassages memoryId={memoryId} passages={outranks} />}
        <LastOutranked correction={correction} onOpen={onOpen} />
      </div>
      <Confirmed
        label="Delete"
        title="Delete this correction?"
        warning={
          <>
            “<bdi>{statement}</bdi>” will no longer rank first. This cannot be undone.
          </>
        }
        action={async () => {
          await client.value.documents.delete(memoryId, id)
          onChange()
        }}
      />
    </li>
  )
}

/** Passages outranked in the last search; each opens on click. */
function LastOutranked({ correction, onOpen }: Pick<RowProps, 'correction' | 'onOpen'>) {
  const { memoryId, lastOutranked } = correction
  if (lastOutranked === null || lastOutranked.passages.length === 0) return null
  return (
    <p class="quiet">
      Last overrides, {formatTime(lastOutranked.at)}:{' '}
      {lastOutranked.passages.map((passage, index) => (
        <Fragment key={passage.chunkId}>
          {index > 0 && ', '}
          <button type="button" class="link" dir="auto" onClick={() => onOpen({ memoryId, ...passage })}>
            {passage.page === null ? passage.title : `${passage.title}, page ${passage.page}`}
          </button>
        </Fragment>
      ))}
    </p>
  )
}

function OutrankedPassages({ memoryId, passages }: { memoryId: string; passages: readonly Outranked[] }) {
  return (
    <ol class="outranked">
      {passages.map(({ chunkId, documentId, title, page, snippet }) => (
        <li key={chunkId}>
          <a dir="auto" href={linkTo('memories', memoryId, 'documents', documentId)}>
            {title}
          </a>{' '}
          {page !== null && <span class="quiet">page {page}</span>}
          <MarkedSnippet snippet={snippet} />
        </li>
      ))}
    </ol>
  )
}
