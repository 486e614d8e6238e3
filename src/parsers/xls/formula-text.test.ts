import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildXlsFile,
  shorts,
  xlsDouble,
  xlsRecord,
  xlsSpecial,
  xlsString,
} from '../../../test/support/build-xls-file.ts'
import { bufferBytes } from '../byte-source.ts'
import { readXlsBytes } from '../read-office.ts'
import { formatFormula } from './formula-text.ts'

/** A cell with a formula without a value: row, column, style, value, flags, chain, tokens. */
function formula(row: number, ...tokens: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(tokens)
  return xlsRecord(0x0006, [row, 0, 0], xlsSpecial(3), [0, 0, 0, bytes.length], bytes)
}

const byte = (...values: readonly number[]) => Buffer.from(values)
const RELATIVE = 0xc000
const cell = (row: number, column: number) => Buffer.concat([byte(0x44), shorts([row, column])])
const area = Buffer.concat([byte(0x25), shorts([0, 1, RELATIVE, 1 | RELATIVE])])
const integer = (value: number) => Buffer.concat([byte(0x1e), shorts([value])])
const text = (value: string) => Buffer.concat([byte(0x17), xlsString(value, 1)])
const fixed = (index: number) => Buffer.concat([byte(0x41), shorts([index])])
const variable = (index: number, count: number) => Buffer.concat([byte(0x42, count), shorts([index])])

function show(...tokens: readonly Buffer[]): string | null {
  const context = { form: { isUnicode: true, encoding: '' }, sheetNames: ['Stock', "Old 'box'", null] }
  return formatFormula(formula(0, ...tokens).subarray(4), context)
}

test('operators, references and functions are written as in a sheet', () => {
  const ofSheet = (index: number) => Buffer.concat([byte(0x5a), shorts([index, 0, 1 | RELATIVE])])
  for (const [tokens, expected] of [
    [[area, byte(0x19, 0x10, 0, 0), integer(1), byte(0x03)], '=SUM(A1:B2)+1'],
    [[cell(0, RELATIVE), cell(1, 27), byte(0x04), byte(0x15), integer(2), byte(0x07)], '=(A1-$AB$2)^2'],
    [[cell(0, 0x4000), byte(0x13), byte(0x14)], '=-A$1%'],
    [[cell(4, RELATIVE), integer(9), byte(0x0d), text('a"b'), byte(0x1d, 1), variable(1, 3)], '=IF(A5>9,"a""b",TRUE)'],
    [[Buffer.concat([byte(0x1f), xlsDouble(1.5)]), integer(0), fixed(27)], '=ROUND(1.5,0)'],
    [[byte(0x16), text('Łódź'), byte(0x08)], '=&"Łódź"'],
    [[ofSheet(0), ofSheet(1), byte(0x05)], "=Stock!B1*'Old ''box'''!B1"],
    [[integer(1), byte(0x19, 0x04, 1, 0, 0, 0, 0, 0), variable(100, 1)], '=CHOOSE(1)'],
  ] as const)
    assert.equal(show(...tokens), expected)
})

test('unknown tokens, functions and sheets, and missing operands give no formula', () => {
  const ofOtherFile = Buffer.concat([byte(0x5a), shorts([2, 0, 0])])
  for (const tokens of [[], [byte(0x03)], [fixed(9999)], [byte(0x20)], [ofOtherFile], [integer(1), integer(2)]])
    assert.equal(show(...tokens), null)
  const long = [integer(1), ...Array.from({ length: 9000 }, () => byte(0x13))]
  assert.equal(show(...long), null)
})

async function readLines(records: readonly Buffer[], codePage?: number): Promise<string[]> {
  const texts: string[] = []
  const parts = { sheets: [{ name: 'S', rows: [['a']], records }], ...(codePage === undefined ? {} : { codePage }) }
  for await (const event of readXlsBytes(bufferBytes(buildXlsFile(parts))))
    if ('block' in event) texts.push(event.block.text.trim())
  return texts.slice(1)
}

test('formulas are shown in a workbook without any value, else an empty value is empty', async () => {
  const sum = formula(1, area, byte(0x19, 0x10, 0, 0))
  assert.deepEqual(await readLines([sum, formula(2, fixed(9999))]), ['a', '=SUM(A1:B2)', '=(formula)'])
  const calculated = xlsRecord(0x0006, [2, 0, 0], xlsDouble(5), [0, 0, 0, 0])
  assert.deepEqual(await readLines([sum, calculated]), ['a', '5'])
  const older = Buffer.concat([byte(0x25), shorts([RELATIVE, 1 | RELATIVE]), byte(0, 1), byte(0x19, 0x10, 0, 0)])
  assert.deepEqual(await readLines([formula(1, older)], 1252), ['a', '=SUM(A1:B2)'])
})
