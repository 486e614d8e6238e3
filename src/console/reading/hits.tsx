import type { Hit, HitExplanation } from '../../client/findings.ts'
import { formatPages, pluralize } from '../format.ts'
import { MarkedSnippet } from './marked-text.tsx'
import { Why } from './why.tsx'

type ReadWhy = (hit: Hit, signal: AbortSignal) => Promise<HitExplanation | null>

type HitsProps = {
  hits: readonly Hit[]
  /** A new search closes the explanations of the one before. */
  query: string
  openId: string | null
  onOpen: (chunkId: string) => void
  readWhy: ReadWhy
}

/** Hits of a search; each opens its passage and explains its score. */
export function Hits({ hits, query, openId, onOpen, readWhy }: HitsProps) {
  return (
    <ol class="hits">
      {hits.map((hit) => (
        <HitRow
          key={`${query} ${hit.chunkId}`}
          hit={hit}
          isOpen={hit.chunkId === openId}
          onOpen={() => onOpen(hit.chunkId)}
          readWhy={readWhy}
        />
      ))}
    </ol>
  )
}

type HitRowProps = { hit: Hit; isOpen: boolean; onOpen: () => void; readWhy: ReadWhy }

function HitRow({ hit, isOpen, onOpen, readWhy }: HitRowProps) {
  const pages = formatPages(hit)
  return (
    <li aria-current={isOpen ? 'true' : undefined}>
      <div class="title">
        <h2>
          <button type="button" class="link" dir="auto" onClick={onOpen}>
            {hit.title}
          </button>
        </h2>
        {hit.kind === 'correction' && <span class="tag strong">correction</span>}
        {pages && <span class="faint">{pages}</span>}
      </div>
      <Why score={hit.score} read={(signal) => readWhy(hit, signal)} />
      {hit.section !== null && (
        <p class="faint one-line">
          <bdi>{hit.section}</bdi>
        </p>
      )}
      <MarkedSnippet snippet={hit.snippet} />
      {(hit.tags.length > 0 || hit.duplicates > 0) && (
        <div class="tags">
          {hit.tags.map((tag) => (
            <span class="tag" key={tag} dir="auto">
              {tag}
            </span>
          ))}
          {hit.duplicates > 0 && <span class="faint">{pluralize(hit.duplicates, 'copy', 'copies')}</span>}
        </div>
      )}
    </li>
  )
}
