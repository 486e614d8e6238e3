import { countOf } from '../format.ts'
import { Notice } from '../parts/notice.tsx'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { Ask } from './ask.tsx'
import { Corrections } from './corrections.tsx'
import { Documents } from './documents.tsx'
import { Evaluate } from './evaluate.tsx'
import { Extract } from './extract.tsx'
import { Manage } from './manage.tsx'
import { Search } from './search.tsx'

const TABS = {
  search: 'Search',
  ask: 'Ask',
  documents: 'Documents',
  corrections: 'Corrections',
  extract: 'Extract',
  evaluate: 'Evaluate',
  manage: 'Manage',
}

/** One memory: what it is, and what can be done with it. */
export function MemoryView({ memoryId, tab }: { memoryId: string; tab: string }) {
  const memory = useLoad((signal) => client.value.memories.get(memoryId, { signal }), [memoryId, tab])
  if (memory.value === null) return <Notice error={memory.error} onRetry={memory.reload} />
  const { name, description, documentCount, chunkCount } = memory.value
  const shown = tab in TABS ? tab : documentCount === 0 ? 'documents' : 'search'
  return (
    <>
      <header class="head">
        <div>
          <h1 dir="auto">{name}</h1>
          <p class="quiet">
            {countOf(documentCount, 'document')}, {countOf(chunkCount, 'passage')}
            {description && ` · ${description}`}
          </p>
        </div>
      </header>
      <nav class="tabs" aria-label="Memory">
        {Object.entries(TABS).map(([id, label]) => (
          <a key={id} href={linkTo('memories', memoryId, id)} aria-current={id === shown ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {shown === 'search' && <Search memoryId={memoryId} />}
      {shown === 'ask' && <Ask memoryId={memoryId} />}
      {shown === 'documents' && <Documents memoryId={memoryId} onChange={memory.reload} />}
      {shown === 'corrections' && <Corrections memoryId={memoryId} />}
      {shown === 'extract' && <Extract memoryId={memoryId} />}
      {shown === 'evaluate' && <Evaluate memoryId={memoryId} />}
      {shown === 'manage' && <Manage memory={memory.value} onChange={memory.reload} />}
    </>
  )
}
