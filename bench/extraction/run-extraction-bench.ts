import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runSync } from '../../src/concurrency/event-loop-yield.ts'
import { createAnalyzer } from '../../src/engine/analysis/analyzer.ts'
import type { Finding } from '../../src/extraction/field.ts'
import { createFieldFinder } from '../../src/extraction/find-field.ts'
import { createStaticEmbedder } from '../../src/models/local/static-model.ts'
import { list, print, table } from '../report.ts'
import { type FieldOutcome, judgeField } from './judge-field.ts'
import { type Half, type LabelledField, readLabelledSet } from './labelled-set.ts'
import { indexFile } from './retrieve-passages.ts'

const EMBEDDER = join(import.meta.dirname, '..', '..', 'embedder')
/** As many as the service looks at for a field. */
const PASSAGES = 10

type Result = { document: string; field: LabelledField; finding: Finding | null; outcome: FieldOutcome }

/**
 * Required without a model: at least this share correct and at most this share wrong; missing
 * values count as neither.
 */
const MIN_RIGHT = 0.7
const MAX_WRONG = 0.05

/**
 * `[--details]`: extracts every field of both halves without a model. Details list the errors of
 * the tuning half, never of the held-out half. False when under 70 % of the held-out fields are
 * correct or over 5 % wrong.
 */
export async function runExtractionBench(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { details: { type: 'boolean', default: false } } })
  const [tuning, heldOut] = [await extractAll('tuning'), await extractAll('held-out')]
  print(tableOf('tuning', tuning))
  if (values.details) print(list('Not right', tuning.filter(({ outcome }) => outcome !== 'right').map(describeMiss)))
  print(tableOf('held-out', heldOut))
  const share = (wanted: FieldOutcome) => heldOut.filter(({ outcome }) => outcome === wanted).length / heldOut.length
  return share('right') >= MIN_RIGHT && share('wrong') <= MAX_WRONG
}

function tableOf(half: Half, results: readonly Result[]): string {
  const types = [...new Set(results.map(({ field }) => field.type))].sort()
  const ofType = (type: string) => results.filter(({ field }) => field.type === type)
  const rows = types.map((type) => rowOf(type, ofType(type)))
  const head = ['type', 'fields', 'right', 'wrong', 'not found']
  return table(`Extraction without a model, ${half}`, head, [...rows, rowOf('all', results)])
}

async function extractAll(half: Half): Promise<Result[]> {
  const analyzer = createAnalyzer()
  const embedder = await createStaticEmbedder({ directory: EMBEDDER })
  const results: Result[] = []
  for (const { name, path, context, fields } of readLabelledSet(half)) {
    const file = await indexFile({ analyzer, embedder }, path)
    const finder = createFieldFinder([file.language])
    for (const field of fields) {
      const passages = await file.retrieve(`${field.label} ${field.section} ${context}`, PASSAGES)
      const asked = { label: field.label, key: field.label, dataType: field.type, sectionName: field.section, context }
      const finding = runSync(finder.find(asked, passages))
      results.push({ document: name, field, finding, outcome: judgeField(field, finding?.value ?? null) })
    }
  }
  return results
}

function rowOf(name: string, results: readonly Result[]): string[] {
  const share = (outcome: FieldOutcome): string => {
    const count = results.filter((result) => result.outcome === outcome).length
    return `${count} (${((100 * count) / results.length).toFixed(1)} %)`
  }
  return [name, String(results.length), share('right'), share('wrong'), share('not found')]
}

function describeMiss({ document, field, finding, outcome }: Result): string {
  const found = finding === null ? '' : `, found ${JSON.stringify(finding.value)} (${finding.confidence})`
  return `${outcome}: ${document}, ${field.label} (${field.type}): ${JSON.stringify(field.value)}${found}`
}
