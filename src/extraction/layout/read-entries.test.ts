import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEntries } from './read-entries.ts'

function entries(text: string, header: string | null = null): [string, string][] {
  return readEntries({ text, header, section: null, isFirst: true }).map(({ label, start, end }) => [
    label,
    text.slice(start, end),
  ])
}

function has(text: string, label: string, value: string, header: string | null = null): void {
  const found = entries(text, header)
  assert.ok(
    found.some((entry) => entry[0] === label && entry[1] === value),
    `${label}: ${value} is not among ${JSON.stringify(found)}`,
  )
}

test('splits label and value at a colon, also twice per line and with emphasis', () => {
  has('Surname: Reyes                First name: Tomas', 'Surname', 'Reyes')
  has('Surname: Reyes                First name: Tomas', 'First name', 'Tomas')
  has('**Lender:** Ostrava Credit Union', 'Lender', 'Ostrava Credit Union')
  has('Client : Librairie des Pentes', 'Client', 'Librairie des Pentes')
})

test('splits at a full-width colon and after East Asian letters without a space', () => {
  const invoice = '发票号码：20260318\n开票日期:2026年3月5日\n购买方：上海明华有限公司'
  has(invoice, '发票号码', '20260318')
  has(invoice, '开票日期', '2026年3月5日')
  has('氏名：山田太郎\n住所：東京都港区', '氏名', '山田太郎')
  has('**氏名：**山田　太郎', '氏名', '山田　太郎')
  has('계좌번호:110-234', '계좌번호', '110-234')
  assert.ok(!entries(invoice).some(([, value]) => value.includes('：')))
})

test('starts a new cell at a label with a full-width colon', () => {
  has('姓名：张三 性别：男', '姓名', '张三')
  has('氏名：山田　太郎　住所：東京都港区', '氏名', '山田　太郎')
  has('氏名：山田　太郎　住所：東京都港区', '住所', '東京都港区')
})

test('ignores times and URLs', () => {
  assert.deepEqual(entries('at 14:35 on https://site.example/a'), [])
})

test('reads a value in the next cell or the line below', () => {
  has('Site:               Kingfisher School', 'Site', 'Kingfisher School')
  has('Bill to:\nTern Valley Brewing\nUnit 4', 'Bill to', 'Tern Valley Brewing')
  has('Invoice no\nSM10932\n\nDate of issue\n7 May 2026', 'Date of issue', '7 May 2026')
  has('Familienstand         verheiratet', 'Familienstand', 'verheiratet')
})

test('names table cells by row and column', () => {
  const table = 'Invoice No.     Date           Due\nINV-20418       03/14/2026     04/13/2026'
  has(table, 'Invoice No.', 'INV-20418')
  has(table, 'Due', '04/13/2026')
  has('| Item | Details |\n|---|---|\n| Licensor | Petrel GmbH |\n| Product | Catalogue |', 'Licensor', 'Petrel GmbH')
  const [entry] = readEntries({
    text: 'Gas | 164,900 | €14,841',
    header: 'Source | Use (kWh) | Cost',
    section: null,
    isFirst: false,
  }).slice(1)
  assert.deepEqual([entry?.label, entry?.contextLabel], ['Gas', 'Cost'])
})

test('reads a column of several rows as a list', () => {
  const table = 'Item          Price     Total\nRope          38.00     152.00\nJacket        54.90     549.00'
  const columns = readEntries({ text: table, header: null, section: null, isFirst: true })
  assert.deepEqual(
    columns.filter(({ label }) => label === 'Total').map(({ items }) => items),
    [['152.00', '549.00']],
  )
})

test('reads quoted CSV rows below their header or as names and values', () => {
  const csv = 'Tag,Cost (USD),Place\nIT-0044,"1,249.00","Hall B, aisle 4"'
  has(csv, 'Cost (USD)', '1,249.00')
  has(csv, 'Place', 'Hall B, aisle 4')
  has('Field,Value\nCandidate,Ingrid\nDegree,PhD', 'Candidate', 'Ingrid')
})

test('reads JSON keys as labels and enclosing keys as context', () => {
  const text = '{"orderDate": "2026-01-19", "customer": {"name": "Alpina", "no": 7}, "tags": ["a", "b"], "note": null}'
  has(text, 'orderDate', '2026-01-19')
  has(text, 'no', '7')
  has(text, 'tags', '["a", "b"]')
  const name = readEntries({ text, header: null, section: null, isFirst: true }).find(({ label }) => label === 'name')
  assert.match(name?.contextLabel ?? '', /customer/)
  assert.ok(!entries(text).some(([label]) => label === 'note'))
})

test('reads the parties that a contract defines', () => {
  has(
    'between Morwenna Estates Limited, of 3 Castle Parade (the "Landlord"), and',
    'Landlord',
    'Morwenna Estates Limited',
  )
  has(
    'between Northgate Council, hereinafter called the CLIENT, and Elmore Works Ltd, of Leeds',
    'CLIENT',
    'Northgate Council',
  )
  has('and Elmore Works Ltd (hereinafter referred to as the "Contractor")', 'Contractor', 'Elmore Works Ltd')
  has(
    'by and between **Quillon Systems, Inc.**, a Delaware corporation ("Provider")',
    'Provider',
    'Quillon Systems, Inc.',
  )
})

test('reads a number after its name without a colon', () => {
  has('Rechnung Nr. 2026/0388', 'Rechnung Nr.', '2026/0388')
})

test('reads a choice of check boxes as a single value', () => {
  has('Alarm tested               [x] Yes   [ ] No', 'Alarm tested', '[x] Yes   [ ] No')
  has('Licence:  ☒ Yes  ☐ No', 'Licence', '☒ Yes  ☐ No')
})

test('names a list by its heading', () => {
  has('## Skills\n\n- Python\n- SQL\n\nMore.', 'Skills', '- Python\n- SQL')
})
