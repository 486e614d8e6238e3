/** A normative sentence of the specification, or a promise of the project, as data. */
export type Requirement = {
  /** `chapter.topic.rule`, cited by tests. */
  id: string
  /**
   * `api` is the API document, `contract` fills its gaps, `project` holds promises on which both
   * are silent.
   */
  source: 'api' | 'contract' | 'project'
  /** The heading above the sentence. */
  section: string
  /** The rule in short words. */
  sentence: string
  /** The part of the project that implements the sentence, 1 to 7. */
  part: number
}

/** The source of a group of rules, and the part that implements the group. */
export type Place = Omit<Requirement, 'id' | 'sentence'>

/** Turns the rules of one place, `{ id: sentence }`, into a list of requirements. */
export function requirementsOf(place: Place, sentences: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(sentences).map(([id, sentence]) => ({ id, ...place, sentence }))
}
