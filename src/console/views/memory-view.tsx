import type { Memory } from '../../client/client.ts'
import { formatContents } from '../format.ts'
import { useLoad, useTabTitle } from '../hooks.ts'
import { Empty } from '../parts/empty.tsx'
import { NotRead } from '../parts/notice.tsx'
import { linkBackTo, linkTo } from '../route.ts'
import { SAMPLE_NAME } from '../sample.ts'
import { client } from '../session.ts'
import { Ask } from './ask-view.tsx'
import { Corrections } from './corrections-view.tsx'
import { Documents } from './documents-view.tsx'
import { Evaluate } from './evaluate-view.tsx'
import { Extract } from './extract-view.tsx'
import { Manage } from './manage-view.tsx'
import { Search } from './search-view.tsx'

const TABS = {
  search: 'Search',
  ask: 'Ask',
  documents: 'Documents',
  corrections: 'Corrections',
  extract: 'Extract',
  evaluate: 'Evaluate',
  manage: 'Manage',
}
type TabName = keyof typeof TABS

/** Tabs that are useless without documents. */
const NEED_DOCUMENTS = ['search', 'ask', 'extract', 'evaluate']

/** A memory with its tabs. */
export function MemoryView({ memoryId, tab }: { memoryId: string; tab: string }) {
  const memory = useLoad((signal) => client.value.memories.get(memoryId, { signal }), [memoryId, tab])
  const shown = Object.hasOwn(TABS, tab) ? (tab as TabName) : memory.value?.documentCount === 0 ? 'documents' : 'search'
  useTabTitle(memory.value && [TABS[shown], memory.value.name])
  if (memory.value === null) return <NotRead what="Memory" error={memory.error} onRetry={memory.reload} />
  const { name, description, documentCount, chunkCount } = memory.value
  const isEmpty = documentCount === 0 && chunkCount === 0
  return (
    <>
      <header class="head">
        <div>
          <h1 class="beginning" dir="auto">
            {name}
          </h1>
          <p class="quiet beginning">
            {formatContents(memory.value)}
            {description && (
              <>
                {' '}
                · <bdi>{description}</bdi>
              </>
            )}
          </p>
        </div>
      </header>
      <nav class="tabs" aria-label="Memory">
        {Object.entries(TABS).map(([id, label]) => (
          <a key={id} href={linkBackTo('memories', memoryId, id)} aria-current={id === shown ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {isEmpty && NEED_DOCUMENTS.includes(shown) ? (
        <Empty title="No searchable documents yet">
          <p>
            <a href={linkTo('memories', memoryId, 'documents')}>Add documents</a> first. They are searchable as soon as
            they are processed.
          </p>
        </Empty>
      ) : (
        <Tab shown={shown} memory={memory.value} onChange={memory.reload} />
      )}
    </>
  )
}

function Tab({ shown, memory, onChange }: { shown: string; memory: Memory; onChange: () => void }) {
  const { id, name } = memory
  const isSample = name === SAMPLE_NAME
  if (shown === 'ask') return <Ask memoryId={id} isSample={isSample} />
  if (shown === 'documents') return <Documents memoryId={id} onChange={onChange} />
  if (shown === 'corrections') return <Corrections memoryId={id} />
  if (shown === 'extract') return <Extract memoryId={id} />
  if (shown === 'evaluate') return <Evaluate memoryId={id} isSample={isSample} />
  if (shown === 'manage') return <Manage memory={memory} onChange={onChange} />
  return <Search memoryId={id} isSample={isSample} />
}
