import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS } from '../limits.ts'
import { EARLIER, IDS, LATER } from './example-data.ts'
import { Count, Text, Timestamp } from './values.ts'

/** A project: a group of memories within an organization. */
export const ProjectSchema = Type.Object(
  {
    id: Text('Unique identifier of the project. Starts with `prj_`.'),
    name: Text('Name of the project, unique within the organization (case-insensitive).'),
    memoryCount: Count('Number of memories in the project.'),
    createdAt: Timestamp('Time at which the project was created.'),
    updatedAt: Timestamp('Time at which the project was last renamed.'),
  },
  { $id: 'Project', description: 'A group of memories.' },
)

/** A project in a response. */
export type ProjectResource = Static<typeof ProjectSchema>

/** Request body of POST and PUT projects. */
export const ProjectBody = Type.Object({
  name: Type.String({
    minLength: NAME_CHARACTERS.min,
    maxLength: NAME_CHARACTERS.max,
    description: 'Name of the project, unique within the organization (case-insensitive).',
  }),
})

/** Example project. */
export const PROJECT_EXAMPLE: ProjectResource = {
  id: IDS.project,
  name: 'Help desk',
  memoryCount: 1,
  createdAt: EARLIER,
  updatedAt: LATER,
}
