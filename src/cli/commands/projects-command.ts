import type { Command } from 'commander'
import type { Project } from '../../client/accounts.ts'
import type { Client } from '../../client/client.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { CliContext } from '../cli-context.ts'
import { openClient, requireProject } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { asJson, shorten, shortTime, textTable } from '../printing.ts'

type JsonOption = { json?: true }

/** `recollect projects list|create|show|rename|delete`. */
export function addProjectsCommands(program: Command, context: CliContext): void {
  const projects = program.command('projects').description('list, create, show, rename and delete projects')
  projects
    .command('list')
    .description('list the projects, newest first')
    .option('--json', 'print them as JSON')
    .action((options: JsonOption) => list(context, options))
  projects
    .command('create <name>')
    .description('create a project, and print its id')
    .option('--json', 'print the whole project as JSON')
    .action((name: string, options: JsonOption) => create(context, name, options))
  projects
    .command('show <project>')
    .description('show a project by id or exact name, with its memories')
    .option('--json', 'print it as JSON')
    .action((named: string, options: JsonOption) => show(context, named, options))
  projects
    .command('rename <project> <name>')
    .description('change the name of a project')
    .action((named: string, name: string) => rename(context, named, name))
  projects
    .command('delete <project>')
    .description('delete a project; its memories are kept')
    .option('-y, --yes', 'skip the confirmation; required without a terminal')
    .action((named: string, options: { yes?: true }) => remove(context, named, options))
}

async function list(context: CliContext, { json }: JsonOption): Promise<void> {
  const projects: Project[] = []
  for await (const project of openClient(context).projects.list()) projects.push(project)
  if (json) return context.writeOut(asJson({ projects }))
  const rows = projects.map(({ id, memoryCount, createdAt, name }) => {
    return [id, String(memoryCount), shortTime(createdAt), shorten(name)]
  })
  context.writeOut(textTable(['ID', 'MEMORIES', 'CREATED', 'NAME'], rows))
}

async function create(context: CliContext, name: string, { json }: JsonOption): Promise<void> {
  const project = await openClient(context).projects.create(name)
  context.writeOut(json ? asJson(project) : `${project.id}\n`)
}

async function show(context: CliContext, named: string, { json }: JsonOption): Promise<void> {
  const client = openClient(context)
  const project = await requireProject(client, named)
  const memories = await listMemoriesOf(client, project)
  if (json) return context.writeOut(asJson({ ...project, memories }))
  context.writeOut(`${project.id}  ${shorten(project.name)}\n`)
  const rows = memories.map(({ id, documentCount, name }) => [id, String(documentCount), shorten(name)])
  if (rows.length > 0) context.writeOut(`\n${textTable(['ID', 'DOCUMENTS', 'NAME'], rows)}`)
}

async function listMemoriesOf(client: Client, { id: projectId }: Project) {
  const memories = []
  for await (const memory of client.memories.list({ projectId })) memories.push(memory)
  return memories
}

async function rename(context: CliContext, named: string, name: string): Promise<void> {
  const client = openClient(context)
  const project = await requireProject(client, named)
  const renamed = await client.projects.rename(project.id, name)
  context.writeError(`${project.id} is named "${shorten(renamed.name)}".\n`)
}

async function remove(context: CliContext, named: string, { yes }: { yes?: true }): Promise<void> {
  const client = openClient(context)
  const { id, name, memoryCount } = await requireProject(client, named)
  const kept = memoryCount === 0 ? '' : `, and keep its ${pluralize(memoryCount, 'memory', 'memories')}`
  const agreed = yes || (await context.confirm(`Delete ${id} "${shorten(name)}"${kept}?`))
  if (agreed === null) throw new UsageError('No terminal to confirm at; add --yes to delete the project.')
  if (!agreed) return context.writeError('Nothing was deleted.\n')
  await client.projects.delete(id)
  context.writeError(`${id} is deleted.\n`)
}
