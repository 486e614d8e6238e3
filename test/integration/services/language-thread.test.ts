import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectLanguage } from '../../../src/engine/analysis/detect-language.ts'
import { createLanguageDetector, startLanguageThread } from '../../../src/services/ingest/indexing/language-detector.ts'

const TEXTS = [
  'Der Kessel wurde im März gewartet, und im Bericht steht, welche der Ventile ersetzt werden sollen.',
  'La chaudière a été révisée en mars, et le rapport qui l’accompagne dit quelles vannes doivent être changées.',
  'Котёл обслуживали в марте, и в отчёте сказано, какие клапаны следует заменить.',
  '第一級の障害は当番の担当者が十分以内に確認することになっています。',
  'ACME March, 1963 Greniewski, M, Turski, W. CA630620 JB March 14, 1978 10:04 AM 2905 5 829 829 5 829',
]

test('the language thread detects the same languages as this thread, also for many texts concurrently', async (t) => {
  const warnings: unknown[] = []
  const log = { warn: (facts: unknown) => void warnings.push(facts) }
  const detector = createLanguageDetector({ start: startLanguageThread, log, idleMs: 60_000, retryMs: 60_000 })
  t.after(() => detector.close())
  const texts = TEXTS.flatMap((text) => [text, `${text} `.repeat(30)])
  assert.deepEqual(await Promise.all(texts.map(detector.detect)), texts.map(detectLanguage))
  assert.deepEqual(warnings, [])
})
