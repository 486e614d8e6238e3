/** The projects of an organization, by which it sorts its memories. */

import type { ProjectResource } from '../../api/project.ts'
import type { Caller } from '../caller.ts'
import type { Keep } from '../keep.ts'
import type { Page, PageRequest } from '../page.ts'

export type ProjectsService = {
  create(caller: Caller, name: string, keep?: Keep<ProjectResource>): Promise<ProjectResource>
  list(caller: Caller, page: PageRequest): Promise<Page<'projects', ProjectResource>>
  get(caller: Caller, projectId: string): Promise<ProjectResource>
  rename(caller: Caller, projectId: string, name: string): Promise<ProjectResource>
  delete(caller: Caller, projectId: string): Promise<void>
}
