import { Type } from 'typebox'
import type { ProjectResource } from '../../api/project.ts'
import { ProjectBody, ProjectSchema } from '../../api/project.ts'
import { pageOf, pageParameters } from '../../api/values.ts'
import { JSON_BODY_BYTES, PAGE_LIMIT } from '../../limits.ts'
import { created, noContent, ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter, readPageRequest } from './parameters.ts'

function toCreated(project: ProjectResource) {
  return created<ProjectResource>(`/v1/projects/${project.id}`, project)
}

/** API document, "Projects". */
export const PROJECT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/projects',
    operationId: 'createProject',
    summary: 'Create a project',
    description:
      'Creates a project, which groups memories. Project names are unique within an organization ' +
      '(case-insensitive).',
    tag: 'Projects',
    access: 'organization',
    body: ProjectBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The new project.', schema: ProjectSchema } },
    errors: ['project_name_taken'],
    handle: async ({ services, caller, body, storeResponseAs }) =>
      toCreated(await services.projects.create(caller, body.name, storeResponseAs(toCreated))),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/projects',
    operationId: 'listProjects',
    summary: 'List projects',
    description: 'Lists the projects of the organization.',
    tag: 'Projects',
    access: 'organization',
    query: Type.Object(pageParameters(PAGE_LIMIT.projects)),
    answers: { 200: { description: 'A page of projects, newest first.', schema: pageOf('projects', ProjectSchema) } },
    errors: ['invalid_cursor'],
    handle: async ({ services, caller, query, reserveMemory }) =>
      ok(await services.projects.list(caller, readPageRequest({ query, reserveMemory }, PAGE_LIMIT.projects))),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/projects/:id',
    operationId: 'getProject',
    summary: 'Get a project',
    description: 'Returns a project with the number of its memories.',
    tag: 'Projects',
    access: 'organization',
    answers: { 200: { description: 'The project.', schema: ProjectSchema } },
    errors: ['project_not_found'],
    handle: async ({ services, caller, params }) =>
      ok(await services.projects.get(caller, pathParameter(params, 'id'))),
  }),
  defineRoute({
    method: 'PUT',
    url: '/v1/projects/:id',
    operationId: 'updateProject',
    summary: 'Rename a project',
    description: 'Changes the name of a project.',
    tag: 'Projects',
    access: 'organization',
    body: ProjectBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The renamed project.', schema: ProjectSchema } },
    errors: ['project_not_found', 'project_name_taken'],
    handle: async ({ services, caller, params, body }) =>
      ok(await services.projects.rename(caller, pathParameter(params, 'id'), body.name)),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/projects/:id',
    operationId: 'deleteProject',
    summary: 'Delete a project',
    description: 'Deletes a project. Its memories are kept without a project.',
    tag: 'Projects',
    access: 'organization',
    answers: { 204: { description: 'The project was deleted.' } },
    errors: ['project_not_found'],
    handle: async ({ services, caller, params }) => {
      await services.projects.delete(caller, pathParameter(params, 'id'))
      return noContent()
    },
  }),
]
