import { useState } from 'preact/hooks'
import { countOf } from '../format.ts'
import { Form } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { goTo, linkTo } from '../route.ts'
import { saveAnswer } from '../save-answer.ts'
import { client, scope } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { Ask } from './ask.tsx'
import { Corrections } from './corrections.tsx'
import { Documents } from './documents.tsx'
import { Evaluate } from './evaluate.tsx'
import { Extract } from './extract.tsx'
import { Reembed } from './reembed.tsx'
import { Search } from './search.tsx'
import { Verify } from './verify.tsx'

const TABS = {
  search: 'Search',
  ask: 'Ask',
  documents: 'Documents',
  corrections: 'Corrections',
  extract: 'Extract',
  evaluate: 'Evaluate',
}

/** One memory: what it is, and what can be done with it. */
export function MemoryView({ memoryId, tab }: { memoryId: string; tab: string }) {
  const [isDeleting, setDeleting] = useState(false)
  const [isVerifying, setVerifying] = useState(false)
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
        <div class="row">
          <Reembed memory={memory.value} onChange={memory.reload} />
          <button type="button" class="quiet" onClick={() => setVerifying(true)}>
            Verify
          </button>
          <Form
            label="Export"
            look="quiet"
            action={async () => saveAnswer(await client.value.memories.export(memoryId), `${name}.tar.gz`)}
          />
          {scope.value === 'organization' && (
            <button type="button" onClick={() => setDeleting(true)}>
              Delete
            </button>
          )}
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
      {isVerifying && (
        <Modal title={`Is “${name}” whole?`} onClose={() => setVerifying(false)}>
          <Verify memoryId={memoryId} />
        </Modal>
      )}
      {isDeleting && (
        <Modal title={`Delete “${name}”?`} onClose={() => setDeleting(false)}>
          <p>All its documents and corrections are removed with it. This cannot be taken back.</p>
          <Form
            label="Delete the memory"
            look="danger"
            action={async () => {
              await client.value.memories.delete(memoryId)
              goTo('memories')
            }}
          />
        </Modal>
      )}
    </>
  )
}
