import { Folder, PencilLine, Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import type { Project } from '../../client/accounts.ts'
import { formatCount } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Empty } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Deletion, Modal } from '../parts/modal.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { ACTIONS, numbers, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { client, mayOrganize } from '../session.ts'
import { showToast } from '../shell/toasts.tsx'

type Open = { dialog: 'new' } | { dialog: 'rename' | 'delete'; project: Project } | null

/** Projects, which group memories. */
export function Projects() {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const { value, error, reload } = useLoad((signal) => Array.fromAsync(client.value.projects.list({ signal })), [])
  async function make(fields: FormData) {
    await client.value.projects.create(textOf(fields, 'name'))
    close()
    reload()
  }
  return (
    <>
      <header class="head">
        <h1>Projects</h1>
        {mayOrganize.value && (
          <button type="button" class="primary" onClick={() => setOpen({ dialog: 'new' })}>
            <Icon of={Plus} /> New project
          </button>
        )}
      </header>
      <Notice error={error} onRetry={reload} />
      {value === null && error === null && <Skeleton rows={4} />}
      {value?.length === 0 && (
        <Empty title="No projects" icon={Folder}>
          <p>Projects group memories. Deleting a project keeps its memories.</p>
        </Empty>
      )}
      {value !== null && value.length > 0 && (
        <Table columns={['Name', ...numbers('Memories'), 'Created', ACTIONS]}>
          {value.map((project) => (
            <ProjectRow key={project.id} project={project} onOpen={setOpen} />
          ))}
        </Table>
      )}
      {open?.dialog === 'new' && (
        <Modal title="New project" onClose={close}>
          <Form label="Create project" onCancel={close} action={make}>
            <label>
              Name
              <input name="name" dir="auto" required autocomplete="off" />
            </label>
          </Form>
        </Modal>
      )}
      {open?.dialog === 'rename' && <Renaming project={open.project} onClose={close} onChange={reload} />}
      {open?.dialog === 'delete' && (
        <Deletion
          title={`Delete “${open.project.name}”?`}
          label="Delete"
          warning={<p>Its memories will be kept without a project.</p>}
          action={async () => {
            await client.value.projects.delete(open.project.id)
            showToast(`The project “${open.project.name}” was deleted.`)
            reload()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

function ProjectRow({ project, onOpen }: { project: Project; onOpen: (open: Open) => void }) {
  const { id, name, memoryCount, createdAt } = project
  return (
    <tr>
      <td class="named">
        <a class="one-line" href={`#/memories?project=${id}`} title={name}>
          <bdi>{name}</bdi>
        </a>
      </td>
      <td class="number" data-label="Memories">
        {formatCount(memoryCount)}
      </td>
      <td class="few quiet" data-label="Created">
        <Time at={createdAt} />
      </td>
      <td class="actions">
        {mayOrganize.value && (
          <Menu
            label={`Actions for ${name}`}
            entries={[
              { label: 'Rename', icon: PencilLine, onSelect: () => onOpen({ dialog: 'rename', project }) },
              { label: 'Delete', icon: Trash2, isDanger: true, onSelect: () => onOpen({ dialog: 'delete', project }) },
            ]}
          />
        )}
      </td>
    </tr>
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
