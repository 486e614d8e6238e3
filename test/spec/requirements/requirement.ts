/** One normative sentence of the specification documents, or of the project's own promises, as data. */
export type Requirement = {
  /** `chapter.topic.rule`, what tests cite. */
  id: string
  /** `api` is the API document, `contract` what fills its gaps, `project` what this service promises where both are silent. */
  source: 'api' | 'contract' | 'project'
  /** The heading under which the sentence stands. */
  section: string
  /** The rule in short words. */
  sentence: string
  /** The part of the project that brings it, 1 to 7. */
  part: number
}

/** Where a group of rules stands and which part brings them. */
export type Place = Omit<Requirement, 'id' | 'sentence'>

/** The rules of one place, given as `{ id: sentence }`, as a list of requirements. */
export function requirementsOf(place: Place, sentences: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(sentences).map(([id, sentence]) => ({ id, ...place, sentence }))
}
