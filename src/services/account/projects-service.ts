import type { Kysely } from 'kysely'
import type { ProjectResource } from '../../api/memory.ts'
import {
  countProjects,
  deleteProject,
  getProject,
  insertProject,
  listProjects,
  type ProjectWithCount,
  projectNameKey,
  renameProject,
} from '../../database/account/projects-table.ts'
import type { Project, Tables } from '../../database/schema.ts'
import { isUniqueViolation } from '../../database/store-errors.ts'
import { ApiError } from '../../errors.ts'
import { isId, newId } from '../../ids.ts'
import type { Caller } from '../caller.ts'
import { type Ballast, withBallastReleased } from '../deletion/with-ballast.ts'
import type { Page, PageRequest } from '../paging.ts'
import { readPage } from '../paging.ts'
import { type StoreResponse, storeNoResponse } from '../request-work.ts'
import { requireName, requireOrganizationScope } from './account-checks.ts'

/** Dependencies of the projects service. */
type ProjectsDeps = { db: Kysely<Tables>; blobs: Ballast; now: () => Date }

/** Manages the projects of an organization; rejects memory-scoped keys with `scope_forbidden`. */
export function createProjectsService({ db, blobs, now }: ProjectsDeps): ProjectsService {
  async function require(caller: Caller, projectId: string): Promise<ProjectWithCount> {
    requireOrganizationScope(caller)
    return requireProject(db, caller.organizationId, projectId)
  }

  return {
    async create(caller, name, storeResponse = storeNoResponse) {
      requireOrganizationScope(caller)
      const project = newProject(caller.organizationId, requireName('name', name), now())
      const made = toProjectResource({ ...project, memory_count: 0 })
      await db.transaction().execute(async (transaction) => {
        if (!(await insertProject(transaction, project))) throw new ApiError('project_name_taken')
        await storeResponse(transaction, made)
      })
      return made
    },

    async list(caller, page) {
      requireOrganizationScope(caller)
      return readPage(page, {
        name: 'projects',
        list: 'projects',
        pattern: /^prj_\w{26}$/,
        positionOf: (project) => project.id,
        read: (after, limit) => listProjects(db, { organizationId: caller.organizationId, after, limit }),
        count: () => countProjects(db, caller.organizationId),
        toResource: toProjectResource,
      })
    },

    get: async (caller, projectId) => toProjectResource(await require(caller, projectId)),

    async rename(caller, projectId, name) {
      await require(caller, projectId)
      const { organizationId } = caller
      try {
        const at = now().toISOString()
        await renameProject(db, { organizationId, projectId, name: requireName('name', name), now: at })
      } catch (error) {
        throw isUniqueViolation(error) ? new ApiError('project_name_taken') : error
      }
      return toProjectResource(await require(caller, projectId))
    },

    async delete(caller, projectId) {
      await require(caller, projectId)
      const isDeleted = await withBallastReleased(blobs, () => deleteProject(db, caller.organizationId, projectId))
      if (!isDeleted) throw new ApiError('project_not_found')
    },
  }
}

/**
 * Reads a project; throws `project_not_found` for a malformed id or a project of another
 * organization.
 */
export async function requireProject(
  db: Kysely<Tables>,
  organizationId: string,
  projectId: string,
): Promise<ProjectWithCount> {
  const project = isId('prj', projectId) ? await getProject(db, organizationId, projectId) : null
  if (project === null) throw new ApiError('project_not_found')
  return project
}

/** Creates the row of a new project; `name` must be validated. */
export function newProject(organizationId: string, name: string, now: Date): Project {
  const at = now.toISOString()
  return {
    id: newId('prj', now),
    organization_id: organizationId,
    name,
    name_key: projectNameKey(name),
    created_at: at,
    updated_at: at,
  }
}

function toProjectResource(project: ProjectWithCount): ProjectResource {
  return {
    id: project.id,
    name: project.name,
    memoryCount: Number(project.memory_count),
    createdAt: project.created_at,
    updatedAt: project.updated_at,
  }
}

/** Projects that group the memories of an organization. */
export type ProjectsService = {
  create(caller: Caller, name: string, storeResponse?: StoreResponse<ProjectResource>): Promise<ProjectResource>
  list(caller: Caller, page: PageRequest): Promise<Page<'projects', ProjectResource>>
  get(caller: Caller, projectId: string): Promise<ProjectResource>
  rename(caller: Caller, projectId: string, name: string): Promise<ProjectResource>
  delete(caller: Caller, projectId: string): Promise<void>
}
