import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS } from '../limits.ts'
import { EARLIER, IDS, LATER } from './story.ts'
import { Count, Text, Timestamp } from './values.ts'

/** A project, by which an organization sorts its memories. */
export const ProjectSchema = Type.Object(
  {
    id: Text('The identifier of the project. It begins with prj_.'),
    name: Text('The name of the project. An organization has it once, in whatever case.'),
    memoryCount: Count('The memories of the project.'),
    createdAt: Timestamp('When the project was made.'),
    updatedAt: Timestamp('When the project was last renamed.'),
  },
  { $id: 'Project', description: 'A group of memories.' },
)

/** A project as callers see it. */
export type ProjectResource = Static<typeof ProjectSchema>

/** The body of POST and PUT of projects. */
export const ProjectBody = Type.Object({
  name: Type.String({
    minLength: NAME_CHARACTERS.min,
    maxLength: NAME_CHARACTERS.max,
    description: 'The name of the project, which no other project of the organization has.',
  }),
})

/** The project of the memory. */
export const PROJECT_EXAMPLE: ProjectResource = {
  id: IDS.project,
  name: 'Help desk',
  memoryCount: 1,
  createdAt: EARLIER,
  updatedAt: LATER,
}
