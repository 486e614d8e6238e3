import { FileText } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import type { Memory } from '../../client/client.ts'
import { formatContents } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { markOpened } from '../memory-list.ts'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { NotRead } from '../parts/notice.tsx'
import { linkBackTo, linkTo } from '../route.ts'
import { SAMPLE_NAME } from '../sample.ts'
import { client } from '../session.ts'
import { useCrumbs } from '../shell/top-bar.tsx'
import { Ask } from './ask-view.tsx'
import { Corrections } from './corrections/corrections-view.tsx'
import { Documents } from './documents-view.tsx'
import { Evaluate } from './evaluate/evaluate-view.tsx'
import { Extract } from './extract/extract-view.tsx'
import { Manage } from './manage-view.tsx'
import { MEMORY_TABS, type MemoryTab } from './memory-tabs.ts'
import { Search } from './search-view.tsx'
import { Sources } from './sources-view.tsx'

/** Tabs that are useless without documents. */
const NEED_DOCUMENTS = ['search', 'ask', 'extract', 'evaluate']

/** A memory with its tabs. */
export function MemoryView({ memoryId, tab }: { memoryId: string; tab: string }) {
  const memory = useLoad((signal) => client.value.memories.get(memoryId, { signal }), [memoryId, tab])
  const shown = Object.hasOwn(MEMORY_TABS, tab)
    ? (tab as MemoryTab)
    : memory.value?.documentCount === 0
      ? 'documents'
      : 'search'
  useCrumbs(
    memory.value && [
      ['Memories', linkTo('memories')],
      [memory.value.name, linkTo('memories', memoryId)],
      [MEMORY_TABS[shown].name, linkTo('memories', memoryId, shown)],
    ],
  )
  useEffect(() => markOpened(memoryId), [memoryId])
  const tabs = useRef<HTMLElement>(null)
  const isRead = memory.value !== null
  // On a narrow screen, the open tab may be out of view.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [shown, isRead])
  if (memory.value === null) return <NotRead what="Memory" error={memory.error} onRetry={memory.reload} />
  const { name, description, documentCount, chunkCount } = memory.value
  const isEmpty = documentCount === 0 && chunkCount === 0
  return (
    <>
      <header class="head">
        <div>
          <h1 class="beginning" title={name}>
            <bdi>{name}</bdi>
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
      <nav class="tabs" ref={tabs} aria-label="Memory">
        {Object.entries(MEMORY_TABS).map(([id, { name: label, icon }]) => (
          <a key={id} href={linkBackTo('memories', memoryId, id)} aria-current={id === shown ? 'page' : undefined}>
            <Icon of={icon} /> {label}
          </a>
        ))}
      </nav>
      {isEmpty && NEED_DOCUMENTS.includes(shown) ? (
        <Empty title="No searchable documents yet" icon={FileText}>
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
  if (shown === 'corrections') return <Corrections memoryId={id} onChange={onChange} />
  if (shown === 'extract') return <Extract memoryId={id} />
  if (shown === 'evaluate') return <Evaluate memoryId={id} isSample={isSample} />
  if (shown === 'sources') return <Sources memoryId={id} onChange={onChange} />
  if (shown === 'manage') return <Manage memory={memory} onChange={onChange} />
  return <Search memoryId={id} isSample={isSample} />
}
