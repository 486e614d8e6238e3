/**
 * Shared values of all API examples: a help desk stores its handbook in a memory, asks questions
 * and adds a correction.
 */

/** Timestamps of the first and of the last change. */
export const EARLIER = '2026-11-21T09:46:42.453Z'
export const LATER = '2026-11-21T09:46:42.829Z'

/** Identifiers in the examples. */
export const IDS = {
  memory: 'mem_01m7yr0fcpf21vdwycsm3v8xpq',
  document: 'doc_01m7yr0fdrf21vdwyrjzjpfjva',
  scan: 'doc_01m7yz47z6f22bydhpmxf7tteg',
  picture: 'doc_01m7yz4brnf22bydka759z4dg0',
  correction: 'doc_01m7yz5c2kf22bydm1x8v5q3ws',
  job: 'job_01m7yz47z7f22bydhyt2v5jtks',
  project: 'prj_01m7yr0f7af21vdwxg2b9t4n6e',
  key: 'key_01m7yr0f5df21vdww3k7c1p8rm',
  webhook: 'whk_01m7yr0f6cf21vdwtn5e3h7kqd',
  message: 'msg_01m7yz50q4f22bydn8v2s6m1rc',
  delivery: 'dlv_01m7yz50t0f22bydnb4w9c5xgh',
  source: 'src_01m7yr0f6kf21vdwq2m7d5v9hc',
  organization: 'org_01m7yr0f4bf21vdwvz6y0h2sjx',
  request: 'req_01m7yr0ff0f21vdwzq4d8e5kta',
} as const

/** Title of the handbook, a passage on refunds, and a question. */
export const HANDBOOK = 'Support handbook'
export const REFUNDS = 'Refunds go back to the card that paid, within five working days.'
export const QUESTION = 'When are refunds paid?'

/** The passage as a chunk: identifier, text and offsets. */
export const PASSAGE_ID = `${IDS.document}.0`
export const PASSAGE_TEXT = `## Refunds\n\n${REFUNDS}`
export const PASSAGE_START = 145
export const PASSAGE_END = PASSAGE_START + PASSAGE_TEXT.length
