import type { AskAnswer } from '../../src/api/ask.ts'
import type { ExtractAnswer } from '../../src/api/extract.ts'
import { type FieldOutcome, judgeField } from '../extraction/judge-field.ts'
import type { LabelledField } from '../extraction/labelled-set.ts'
import { makeMemory } from '../load.ts'
import type { Service } from '../service.ts'
import { uploadFile } from '../upload.ts'
import { judgeAnswer, reduceAnswer } from './judge-answer.ts'
import type { Judged } from './tally.ts'
import type { TrustDocument, TrustGroup, TrustQuestion } from './trust-set.ts'

/** A judged question with the text that was answered. */
export type Asked = Judged & { group: TrustGroup; answer: string }
/** A judged field with the value that was found. */
export type Extracted = { group: TrustGroup; field: LabelledField; found: string; outcome: FieldOutcome }

type Memory = { service: Service; id: string; names: ReadonlyMap<string, string> }

/** Fills a memory with a group, asks all its questions, and extracts all its fields. */
export async function askGroup(
  service: Service,
  group: TrustGroup,
): Promise<{ asked: Asked[]; extracted: Extracted[] }> {
  const id = await makeMemory(service, group.name)
  const names = new Map<string, string>()
  for (const document of group.documents) names.set(await addDocument(service, id, document), document.name)
  for (const correction of group.corrections) await service.send('POST', `/v1/memories/${id}/correct`, correction)
  const memory = { service, id, names }
  const asked: Asked[] = []
  for (const question of group.questions) asked.push({ ...(await askQuestion(memory, question)), group })
  return { asked, extracted: await extractFields(memory, group) }
}

async function addDocument(service: Service, id: string, { name, isFile, text }: TrustDocument): Promise<string> {
  if (isFile) {
    const outcome = await uploadFile(service, id, { filename: name, content: new Blob([text]), isImage: false })
    if (outcome.documentId === null) throw new Error(`${name} was not added: ${outcome.message ?? outcome.end}`)
    return outcome.documentId
  }
  const body = { documents: [{ title: name, text }] }
  const { documentIds } = (await service.send('POST', `/v1/memories/${id}/documents`, body)) as AddAnswer
  const [documentId] = documentIds
  if (documentId === undefined) throw new Error(`${name} was not added`)
  return documentId
}

type AddAnswer = { documentIds: string[] }
type FindAnswer = { hits: { kind: 'document' | 'correction' }[] }

async function askQuestion({ service, id, names }: Memory, question: TrustQuestion): Promise<Omit<Asked, 'group'>> {
  const answer = (await service.send('POST', `/v1/memories/${id}/ask`, { question: question.text })) as AskAnswer
  const isAboutCorrection = question.kind === 'corrected' || question.kind === 'corrected-sibling'
  const found = isAboutCorrection
    ? ((await service.send('POST', `/v1/memories/${id}/find`, { query: question.text })) as FindAnswer)
    : { hits: [] }
  const given = reduceAnswer(answer, names, found.hits[0]?.kind ?? null)
  return { ...judgeAnswer(question, given), question, confidence: given.confidence, answer: given.text }
}

async function extractFields({ service, id }: Memory, group: TrustGroup): Promise<Extracted[]> {
  if (group.extract.length === 0) return []
  const keyed = group.extract.map((field, index) => ({ field, key: `f${index}` }))
  const sections = [...new Set(group.extract.map(({ section }) => section))].map((name) => ({
    id: name,
    name,
    fields: keyed
      .filter(({ field }) => field.section === name)
      .map(({ field, key }) => ({ key, label: field.label, data_type: field.type })),
  }))
  const { values } = (await service.send('POST', `/v1/memories/${id}/extract`, { sections })) as ExtractAnswer
  return keyed.map(({ field, key }) => {
    const found = values[field.section]?.[key] ?? null
    return { group, field, found: JSON.stringify(found), outcome: judgeField(field, found) }
  })
}
