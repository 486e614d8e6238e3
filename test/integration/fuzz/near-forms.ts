import fc from 'fast-check'
import type { Schema } from './api-operations.ts'
import { anyText, anyValue, fitting, HOSTILE_TEXTS, spoilOne } from './near-values.ts'

/** A multipart body as bytes, with the boundary of its Content-Type. */
export type Form = { body: Buffer; contentType: string }

const FILES = [
  '# Escalation\n\nA P1 incident is acknowledged within 10 minutes.\n',
  'id,name\n1,"a\nb"\n2,c\n',
  '{"a":[1,2,{"b":"c"}]}',
  '{"a":1}\n{"a":2}\nnot json\n',
  '[[[[[[[[[[',
  '"',
  '',
  ' \n\t ',
  '\ufeffBOM and words',
  'words\0with\0zeros',
  '%PDF-1.7\n1 0 obj\n',
  'PK\u0003\u0004 not a zip',
  '<html><body>words</body></html>',
  '\u001f\u008b\u0008\u0000 gzip',
  '| a | b |\n|---|---|\n| 1 |\n',
  '---\ntitle: x\n',
  '```\nnever closed',
  `${'['.repeat(20_000)}`,
  `"${'""'.repeat(10_000)}`,
  `${'# '.repeat(5000)}`,
  '2026-01-01T00:00:00Z ERROR broken\n\tat x\n'.repeat(50),
]

const fileContent = fc.oneof(
  { arbitrary: fc.constantFrom(...FILES).map((text) => Buffer.from(text)), weight: 4 },
  { arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)), weight: 2 },
  {
    arbitrary: fc
      .constantFrom('utf16le' as const, 'latin1' as const)
      .map((encoding) => Buffer.from(FILES[0] ?? '', encoding)),
    weight: 1,
  },
  { arbitrary: anyText.map((text) => Buffer.from(text)), weight: 2 },
)

const FILE_NAMES = [
  'notes.md',
  'rows.csv',
  'a.json',
  'a.jsonl',
  'a.log',
  'a.txt',
  'a.pdf',
  'a.exe',
  'a',
  '.md',
  '..',
  '../../etc/passwd',
  'C:\\x\\y.txt',
  'a".md',
  'a%00.md',
  'a\u202egpj.txt',
  'été 東京.md',
  `${'n'.repeat(500)}.md`,
  'con',
  'a;b=c.md',
  "a'b.md",
]

const fileName = fc.oneof({ arbitrary: fc.constantFrom(...FILE_NAMES), weight: 4 }, { arbitrary: anyText, weight: 1 })

const TYPES = [
  'text/plain',
  'text/markdown',
  'application/pdf',
  'application/octet-stream',
  'text/plain; charset=utf-16',
  'x',
  '',
  'a/b; charset="\0"',
  'text/csv; charset=ibm-9999',
]

type Part = { head: string; content: Buffer }

const filePart: fc.Arbitrary<Part> = fc
  .tuple(fileName, fc.constantFrom(...TYPES), fileContent)
  .map(([name, type, content]) => ({
    head: `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}`,
    content,
  }))

function optionsPart(options: Schema, known: readonly string[]): fc.Arbitrary<Part> {
  const fits = fitting(options, known)
  const spoiled = fc.tuple(fits, fc.nat(), anyValue).map(([value, at, foreign]) => spoilOne(value, at, foreign))
  const text = fc.oneof(
    { arbitrary: fits.map((value) => JSON.stringify(value)), weight: 4 },
    { arbitrary: spoiled.map((value) => JSON.stringify(value) ?? 'undefined'), weight: 3 },
    {
      arbitrary: fc.constantFrom(
        '{',
        'null',
        '[]',
        '""',
        '{"async":"true"}',
        `${'['.repeat(1000)}`,
        `"${'x'.repeat(70_000)}"`,
      ),
      weight: 1,
    },
  )
  const head = fc.constantFrom(
    '',
    '\r\nContent-Type: application/json',
    '; filename="blob"\r\nContent-Type: application/json',
  )
  return fc.tuple(text, head).map(([content, more]) => ({
    head: `Content-Disposition: form-data; name="options"${more}`,
    content: Buffer.from(content),
  }))
}

const strangePart: fc.Arbitrary<Part> = fc
  .tuple(
    fc.oneof(
      fc
        .constantFrom(...HOSTILE_TEXTS.slice(0, 44), 'toString', 'files', 'file[]', 'FILE')
        .map((name) => `Content-Disposition: form-data; name="${name}"`),
      fc.constantFrom(
        '',
        'Content-Disposition: form-data',
        'Content-Disposition: attachment; name="file"; filename="x"',
        'Content-Disposition: form-data; name=file; filename=x.md',
        'Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'%00%ff.md',
        'Content-Disposition: form-data; name="file"; filename*=utf-99\'\'x',
        'Content-Disposition: form-data; name="file"\r\nContent-Transfer-Encoding: base64',
        'Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=inner',
        `Content-Disposition: form-data; name="file"; filename="x"\r\nX-Long: ${'y'.repeat(20_000)}`,
        `Content-Disposition: form-data; name="file"; ${'a=b; '.repeat(3000)}`,
        'Nonsense without a colon',
      ),
    ),
    fileContent,
  )
  .map(([head, content]) => ({ head, content }))

const WHOLE: (form: Buffer) => Buffer = (form) => form

const damage: fc.Arbitrary<(form: Buffer) => Buffer> = fc.oneof(
  { arbitrary: fc.constant(WHOLE), weight: 8 },
  { arbitrary: fc.nat(400).map((length) => (form: Buffer) => form.subarray(0, length)), weight: 1 },
  {
    arbitrary: fc.integer({ min: 1, max: 60 }).map((length) => (form: Buffer) => form.subarray(0, -length)),
    weight: 1,
  },
  {
    arbitrary: fc
      .uint8Array({ maxLength: 50 })
      .map((noise) => (form: Buffer) => Buffer.concat([Buffer.from(noise), form])),
    weight: 1,
  },
  {
    arbitrary: fc
      .uint8Array({ maxLength: 50 })
      .map((noise) => (form: Buffer) => Buffer.concat([form, Buffer.from(noise)])),
    weight: 1,
  },
  {
    arbitrary: fc
      .nat(200)
      .map((at) => (form: Buffer) => Buffer.concat([form.subarray(0, at), Buffer.from('\0\r\n--'), form.subarray(at)])),
    weight: 1,
  },
)

const contentTypes = fc.oneof(
  { arbitrary: fc.constant('multipart/form-data; boundary=edge'), weight: 10 },
  {
    arbitrary: fc.constantFrom(
      'multipart/form-data; boundary="edge"',
      'Multipart/Form-Data; Boundary=edge; charset=utf-8',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=other',
      `multipart/form-data; boundary=${'e'.repeat(300)}`,
      'multipart/mixed; boundary=edge',
      'multipart/form-data; boundary=edge; boundary=other',
      'application/x-www-form-urlencoded',
      'application/json',
    ),
    weight: 2,
  },
)

/** Forms with a file and options: valid, with a strange part, or damaged. */
export function nearForm(options: Schema, known: readonly string[]): fc.Arbitrary<Form> {
  const usual = fc.tuple(filePart, fc.option(optionsPart(options, known), { nil: undefined }))
  const parts = fc.oneof(
    { arbitrary: usual.map(([file, one]) => (one === undefined ? [file] : [file, one])), weight: 6 },
    {
      arbitrary: fc.tuple(usual, strangePart).map(([[file, one], strange]) => [strange, file, ...(one ? [one] : [])]),
      weight: 2,
    },
    { arbitrary: fc.array(fc.oneof(filePart, optionsPart(options, known), strangePart), { maxLength: 4 }), weight: 1 },
    { arbitrary: filePart.map((file) => new Array<Part>(25).fill(file)), weight: 1 },
  )
  return fc
    .tuple(parts, damage, contentTypes)
    .map(([some, spoil, contentType]) => ({ body: spoil(writeForm(some)), contentType }))
}

function writeForm(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ head, content }) => [
    Buffer.from(`--edge\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from('--edge--\r\n')])
}
