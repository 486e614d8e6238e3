import { useState } from 'preact/hooks'
import type { Project } from '../../client/accounts.ts'
import { pluralize } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Empty } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Confirmed, Modal } from '../parts/modal.tsx'
import { Notice } from '../parts/notice.tsx'
import { client } from '../session.ts'

/** Projects, which group memories. */
export function Projects() {
  const [renamed, setRenamed] = useState<Project | null>(null)
  const { value, error, reload } = useLoad((signal) => Array.fromAsync(client.value.projects.list({ signal })), [])
  async function make(fields: FormData) {
    await client.value.projects.create(textOf(fields, 'name'))
    reload()
  }
  return (
    <>
      <h1>Projects</h1>
      <Form label="New project" clears action={make}>
        <label>
          Name
          <input name="name" dir="auto" required autocomplete="off" />
        </label>
      </Form>
      <Notice error={error} onRetry={reload} />
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
            <button type="button" onClick={() => setRenamed(project)}>
              Rename
            </button>
            <Confirmed
              label="Delete"
              title={`Delete “${project.name}”?`}
              warning="Its memories will be kept without a project."
              action={async () => {
                await client.value.projects.delete(project.id)
                reload()
              }}
            />
          </li>
        ))}
      </ul>
      {renamed && <Renaming project={renamed} onClose={() => setRenamed(null)} onChange={reload} />}
    </>
  )
}

function Renaming({ project, onClose, onChange }: { project: Project; onClose: () => void; onChange: () => void }) {
  async function rename(fields: FormData) {
    await client.value.projects.rename(project.id, textOf(fields, 'name'))
    onClose()
    onChange()
  }
  return (
    <Modal title={`Rename “${project.name}”`} onClose={onClose}>
      <Form label="Rename" action={rename}>
        <label>
          Name
          <input name="name" dir="auto" required defaultValue={project.name} autocomplete="off" />
        </label>
      </Form>
    </Modal>
  )
}
