import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { LANGUAGES } from '../languages/languages.ts'
import { createAnalyzer, TERMS_VERSION } from './analyzer.ts'

/** Words, numbers, names, escapes and scripts of every kind that analysis treats in its own way. */
const SAMPLES = [
  "The children's running shoes weren't cheaper in 2024-05-06; COVID-19 cost $1,234.50 (v2.3.1) at foo_bar.example.org/path?x=1.",
  'Die Häuser der größten Städte lagen an Straßenbahnlinien, Rechtsschutzversicherungsgesellschaften zahlten 3,5 %.',
  'Les étudiantes étaient arrivées à l’université; el niño corrió; os cães; i ragazzi; elevii școlii; çocukların evleri.',
  'Быстрые лисицы перепрыгивали через ленивых собак. Деца су трчала. Швидкі лисиці. Οι γρήγορες αλεπούδες.',
  '学生たちは東京大学で日本語を勉強しています。今天天气很好。학생들은 학교에서 공부했습니다. นักเรียนเรียนภาษาไทย',
  'الطلاب يدرسون في الجامعات. הילדים שיחקו בגן. विद्यार्थियों ने पुस्तकें पढ़ीं। kompyuterlarning',
  'caf\\u00e9 &amp; r&eacute;sum&eacute; E=mc^2 C++ .NET O(n log n) 0x1F 12:30 +49 30 1234 ISBN 978-3-16-148410-0',
]

test('terms match this version; increment the version and update the hash if terms change', () => {
  const analyzer = createAnalyzer()
  const hash = createHash('sha256')
  for (const language of Object.keys(LANGUAGES).sort())
    for (const sample of SAMPLES) hash.update(`${analyzer.terms(sample, language).join(' ')}\n`)
  assert.deepEqual([TERMS_VERSION, hash.digest('hex').slice(0, 16)], [3, '3ae3ec6ebc5021bf'])
})
