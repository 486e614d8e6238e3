import { requirementsOf } from './requirement.ts'

const api = (section: string) => ({ source: 'api', section, part: 1 }) as const
const contract = (section: string) => ({ source: 'contract', section, part: 1 }) as const

/** Memories and projects. */
export const memoryRequirements = [
  ...requirementsOf(api('Resources: Memory'), {
    'memories.name': 'name: required string, 1 to 1000 characters.',
    'memories.description': 'description: optional string, up to 5000 characters.',
    'memories.project-id': 'projectId: optional, assigns the memory to an existing project.',
    'memories.project-name': 'projectName: optional, a project with this name is created if needed.',
  }),
  ...requirementsOf(api('Endpoints: Memories'), {
    'memories.create': 'POST /v1/memories answers the created memory.',
    'memories.list': 'GET /v1/memories answers the list of memories.',
    'memories.get': 'GET /v1/memories/:id answers one memory.',
    'memories.delete': 'DELETE /v1/memories/:id answers 204 and removes the memory, its documents and its memory file.',
  }),
  ...requirementsOf(contract('Answers: Memory'), {
    'memories.fields':
      'A memory has id, name, description, projectId, projectName, status ready, documentCount, chunkCount, correctionCount, sizeBytes, embeddingModel, createdAt, updatedAt.',
    'memories.counts': 'documentCount, chunkCount, correctionCount and sizeBytes follow what the memory holds.',
    'memories.embedding-model': 'embeddingModel is null until pinned, and always names the model really used.',
    'memories.list-by-project': 'GET /v1/memories?projectId= filters by project.',
    'memories.unknown-project': 'An unknown projectId on create is 404.',
    'memories.project-name-reused': 'projectName reuses a project of that name, case-insensitively, or makes it.',
    'memories.delete-ends-jobs': 'Deleting a memory ends its jobs.',
  }),
  ...requirementsOf(api('What the service does'), {
    'memories.container': 'A memory is a searchable container of documents.',
    'projects.group': 'Projects group memories.',
  }),
  ...requirementsOf(api('Resources: Project'), { 'projects.name': 'A project has a name (string).' }),
  ...requirementsOf(api('Endpoints: Projects'), {
    'projects.create': 'POST /v1/projects answers the created project.',
    'projects.list': 'GET /v1/projects answers the list of projects.',
    'projects.get': 'GET /v1/projects/:id answers one project.',
    'projects.update': 'PUT /v1/projects/:id answers the updated project.',
    'projects.delete': 'DELETE /v1/projects/:id deletes the project.',
  }),
  ...requirementsOf(contract('Answers: Project'), {
    'projects.fields': 'A project has id, name, memoryCount, createdAt, updatedAt.',
    'projects.name-taken': 'A taken name is 409.',
    'projects.delete-keeps-memories': 'Deleting a project keeps its memories, with projectId null.',
  }),
]
