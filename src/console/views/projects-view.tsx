import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import type { Project } from '../../client/accounts.ts'
import { pluralize } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Empty } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Confirmed, Modal } from '../parts/modal.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { client, mayAdminister } from '../session.ts'
import { showToast } from '../shell/toasts.tsx'

/** Projects, which group memories. */
export function Projects() {
  const [isMaking, setMaking] = useState(false)
  const [renamed, setRenamed] = useState<Project | null>(null)
  const { value, error, reload } = useLoad((signal) => Array.fromAsync(client.value.projects.list({ signal })), [])
  async function make(fields: FormData) {
    await client.value.projects.create(textOf(fields, 'name'))
    setMaking(false)
    reload()
  }
  return (
    <>
      <header class="head">
        <h1>Projects</h1>
        {mayAdminister.value && (
          <button type="button" class="primary" onClick={() => setMaking(true)}>
            <Icon of={Plus} /> New project
          </button>
        )}
      </header>
      <Notice error={error} onRetry={reload} />
      {value === null && error === null && <Skeleton rows={4} />}
      {value?.length === 0 && (
        <Empty title="No projects">
          <p>Projects group memories. Deleting a project keeps its memories.</p>
        </Empty>
      )}
      <ul class="list">
        {value?.map((project) => (
          <li key={project.id}>
            <div>
              <p>
                <a dir="auto" href={`#/memories?project=${project.id}`}>
                  {project.name}
                </a>
              </p>
              <p class="quiet">{pluralize(project.memoryCount, 'memory', 'memories')}</p>
            </div>
            {mayAdminister.value && (
              <div class="row">
                <button type="button" class="quiet" onClick={() => setRenamed(project)}>
                  Rename
                </button>
                <Confirmed
                  label="Delete"
                  title={`Delete “${project.name}”?`}
                  warning="Its memories will be kept without a project."
                  action={async () => {
                    await client.value.projects.delete(project.id)
                    showToast(`The project “${project.name}” was deleted.`)
                    reload()
                  }}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      {isMaking && (
        <Modal title="New project" onClose={() => setMaking(false)}>
          <Form label="Create project" onCancel={() => setMaking(false)} action={make}>
            <label>
              Name
              <input name="name" dir="auto" required autocomplete="off" />
            </label>
          </Form>
        </Modal>
      )}
      {renamed && <Renaming project={renamed} onClose={() => setRenamed(null)} onChange={reload} />}
    </>
  )
}

function Renaming({ project, onClose, onChange }: { project: Project; onClose: () => void; onChange: () => void }) {
  async function rename(fields: FormData) {
    const name = textOf(fields, 'name')
    await send(name)
    showToast(`The project is called “${name}”.`, () => send(project.name))
    onClose()
  }
  async function send(name: string) {
    await client.value.projects.rename(project.id, name)
    onChange()
  }
  return (
    <Modal title={`Rename “${project.name}”`} onClose={onClose}>
      <Form label="Rename" onCancel={onClose} action={rename}>
        <label>
          Name
          <input name="name" dir="auto" required defaultValue={project.name} autocomplete="off" />
        </label>
      </Form>
    </Modal>
  )
}
