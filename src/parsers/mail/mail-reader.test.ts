import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCutAnywhere } from '../../../test/support/assert-cut-anywhere.ts'
import { readText } from '../text/read-text.ts'
import { detectTextFormat } from '../text-format.ts'
import { createMailReader } from './mail-reader.ts'

const HEAD = 'From: Ann <ann@example.com>\nTo: bo@example.com\nSubject: Duty\nMIME-Version: 1.0\n'
const PLAIN = 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: '

function read(mail: string): string {
  return [...readText(createMailReader, mail)].flatMap((event) => ('block' in event ? [event.block.text] : [])).join('')
}

function warnings(mail: string): string[] {
  return [...readText(createMailReader, mail)].flatMap((event) => ('warning' in event ? [event.warning] : []))
}

/** A mail of parts; each begins with its fields. */
function mailOf(parts: readonly string[], kind = 'mixed'): string {
  const body = parts.map((part) => `--b1\n${part}\n`).join('')
  return `${HEAD}Content-Type: multipart/${kind}; boundary="b1"\n\nFor old programs.\n${body}--b1--\nBehind it.\n`
}

test('the text is that which was written, whatever letters it was sent in', () => {
  const shown = 'Duty\n\nFrom: Ann <ann@example.com>\nTo: bo@example.com\n\nDie Gebühr beträgt 9 €.\n\n'
  for (const [transfer, body] of [
    ['8bit', 'Die Gebühr beträgt 9 €.\n'],
    ['quoted-printable', 'Die Geb=C3=BChr betr=\n=C3=A4gt 9 =E2=82=AC. \n'],
    ['base64', 'RGllIEdlYsO8aHIgYmV0\ncsOkZ3QgOSDigqwu\n'],
  ])
    assert.equal(read(`${HEAD}${PLAIN}${transfer}\n\n${body}`), shown, transfer)
  const old = `${HEAD}Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGeb=FChr`
  assert.match(read(old), /Gebühr\n\n$/)
})

test('fields are read with their words decoded, and what programs say to each other is left out', () => {
  const mail = `Received: from a by b; x\nSubject: =?utf-8?q?Geb=C3=BC?=\n =?utf-8?b?aHJlbg==?= 2026\nFrom: =?iso-8859-1?q?J=F6rg?= <j@example.com>\n\nText.\n`
  assert.equal(read(mail), 'Gebühren 2026\n\nFrom: Jörg <j@example.com>\n\nText.\n\n')
})

test('of a text and a page that say the same the text is read, unless it is a stub', () => {
  const page = (words: string) => `Content-Type: text/html\n\n<p>${words}</p>`
  const plain = 'Content-Type: text/plain\n\nPay by May.'
  assert.match(read(mailOf([plain, page('Pay by <b>May</b>.')], 'alternative')), /example\.com\n\nPay by May\.\n\n$/)
  const long = 'Pay by May. '.repeat(40).trim()
  assert.ok(read(mailOf([plain, page(long)], 'alternative')).endsWith(`example.com\n\n${long}\n\n`))
  assert.match(read(mailOf([page('Pay by May.')])), /Pay by May\.\n\n$/)
})

test('attached mails are read, attached files named', () => {
  const inner = 'Content-Type: message/rfc822\n\nFrom: cid@example.com\nSubject: Earlier\n\nIt was less.'
  const file = 'Content-Type: application/pdf; name="duty.pdf"\nContent-Transfer-Encoding: base64\n\nJVBERi0='
  const escaped = "Content-Type: text/csv\nContent-Disposition: attachment; filename*=utf-8''Geb%C3%BChr.csv\n\na,b"
  const mail = mailOf([`${PLAIN}7bit\n\nPay by May.`, inner, file, escaped])
  assert.match(read(mail), /Pay by May\.\n\nEarlier\n\nFrom: cid@example\.com\n\nIt was less\.\n\n$/)
  assert.deepEqual(warnings(mail), ['2 attached files were not read: duty.pdf, Gebühr.csv.'])
})

test('the mails of a folder follow each other', () => {
  const one = `From ann@example.com Thu Mar 14 09:05:00 2026\n${HEAD}\nPay by May.\n\n`
  assert.equal(read(one.repeat(2)), read(one).repeat(2))
  assert.match(read(`${one}From here on it is 09:05.\n`), /From here on it is 09:05\.\n\n$/)
})

test('a mail that is broken or nested without end is read as far as it goes', () => {
  assert.match(
    read(`${HEAD}Content-Type: multipart/mixed; boundary=b1\n\n--b1\n${PLAIN}7bit\n\nPay by May.`),
    /Pay by May/,
  )
  assert.match(read(`${HEAD}${PLAIN}quoted-printable\n\n100 =ZZ % =\n`), /100 =ZZ %/)
  assert.match(read(`${HEAD}${'Content-Type: message/rfc822\n\n'.repeat(5_000)}Text.`), /^Duty/)
})

test('a mail without words is refused', () => {
  assert.throws(() => read('Message-ID: <1@example.com>\nReceived: x\n\n'), { code: 'unprocessable_document' })
})

test('the text is the same wherever the pieces of the file are cut', () => {
  assertCutAnywhere(
    createMailReader,
    mailOf([`${PLAIN}quoted-printable\n\nGeb=C3=BChr =\nnow.`, 'Content-Type: text/html\n\n<p>a']),
  )
})

test('a mail is told by its name, or by how its text is written', () => {
  const mail = { format: 'mail' } as Parameters<typeof detectTextFormat>[1]
  assert.equal(detectTextFormat(`${HEAD}\nText.`, mail), 'mail')
  assert.equal(detectTextFormat(`${HEAD}${PLAIN}base64\n\nVGV4dC4=`, null), 'mail')
  assert.equal(detectTextFormat(`${HEAD}\nText.`, null), 'txt')
  assert.equal(detectTextFormat('Words of a letter.\n', mail), 'txt')
  assert.equal(detectTextFormat(`How mails are written:\n\n${HEAD}${PLAIN}base64\n\nVGV4dC4=`, null), 'txt')
})
