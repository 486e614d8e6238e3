/** Mails as programs really write them: damaged headers, wrong boundaries, texts in HTML alone. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import iconv from 'iconv-lite'
import { openFileReader } from './open-file-reader.ts'

const readFile = openFileReader()

const HEAD = 'From: Ann <ann@example.com>\nTo: bo@example.com\nSubject: Duty\nMIME-Version: 1.0\n'
const PLAIN = 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: '
const ENCODED = `${PLAIN}base64\n\nUGF5IGJ5IE1heS4K\n`
const SHOWN = 'Duty\n\nFrom: Ann <ann@example.com>\nTo: bo@example.com\n\n'

async function read(mail: string | Buffer): Promise<string> {
  const { format, text, warnings } = await readFile('duty.eml', mail)
  assert.deepEqual([format, warnings], ['mail', []])
  return text
}

describe('a mail with a damaged header', () => {
  const mails = {
    'a line that is no field': `${HEAD}strange X-Field: value\n${ENCODED}`,
    'lines that are folded without white space': `${HEAD}References: <a@example.com>, <c.\nd@example.com>\n${ENCODED}`,
    'addresses on lines of their own': `${HEAD}References: <a@b>,\n<b@example.com>\nbare@example.com\n${ENCODED}`,
    'a sender of a mailbox without a date': `From ann@example.com\n${HEAD}${ENCODED}`,
    'a sender of a mailbox, quoted': `>From ann@example.com Thu Mar 14 09:05:00 2026\n${HEAD}${ENCODED}`,
    'a sender of a mailbox in words': `From ann at example.com  Thu Mar 14 09:05:00 2026\n${HEAD}${ENCODED}`,
    'empty lines before it': `\r\n\n${HEAD}${ENCODED}`,
    'spaces before colons': `${HEAD.replaceAll(':', ' :')}${ENCODED}`,
    'a boundary that is folded without white space': `${HEAD}Content-Type: multipart/mixed;\nboundary="b1"\n\n--b1\n${ENCODED}--b1--\n`,
    'parts without an empty line before them': `${HEAD}Content-Type: multipart/mixed; boundary="b1"\n--b1\n${ENCODED}--b1--\n`,
    'text without an empty line before it': `${HEAD}Pay by May.\n\n`,
    'base64 without an empty line before it': `${HEAD}${PLAIN}base64\nUGF5IGJ5IE1heS4gICAgICAg\n`,
  }
  for (const [damage, mail] of Object.entries(mails))
    it(`is read: ${damage}`, async () => assert.equal(await read(mail), `${SHOWN}Pay by May.\n\n`))

  it('is read with the fields of its text alone', async () => {
    assert.equal(await read(`MIME-Version: 1.0\n${ENCODED}`), 'Pay by May.\n\n')
  })
})

describe('a mail of parts', () => {
  const parts = `--b2\n${PLAIN}7bit\n\nPay by May.\n--b2\nContent-Type: text/plain\n\nYours, Ann\n--b2--\n`

  for (const boundary of ['boundary="b1"', 'boundary="--b2"', 'boundary="b2 "', ''])
    it(`is read behind a boundary that is not the declared one: ${boundary}`, async () => {
      const mail = `${HEAD}Content-Type: multipart/mixed; ${boundary}\n\nFor old programs.\n${parts}`
      assert.match(await read(mail), /example\.com\n\nPay by May\.\n\nYours, Ann\n\n$/)
    })

  it('keeps its text if it has no parts', async () => {
    const mail = `${HEAD}Content-Type: multipart/mixed; boundary="b1"\n\nPay by May.\n-- \nAnn\n`
    assert.equal(await read(mail), `${SHOWN}Pay by May.\n-- \nAnn\n\n`)
  })

  it('is read in HTML if its plain text only refers to it', async () => {
    const alternatives = (plain: string, page: string) =>
      `${HEAD}Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n${plain}\n--b\nContent-Type: text/html\n\n${page}\n--b--\n`
    const page = '<p>The quay is closed. Boats moor at the mole.</p>'
    const stub = alternatives('This message has no text.', page)
    assert.equal(await read(stub), `${SHOWN}The quay is closed. Boats moor at the mole.\n\n`)
    const same = alternatives('The quay is closed. Boats moor at the mole.', page)
    assert.equal(await read(same), `${SHOWN}The quay is closed. Boats moor at the mole.\n\n`)
  })
})

describe('an HTML part', () => {
  const texts = {
    'windows-1250': 'Příští vlak jede v sobotu, žádná zavazadla.',
    'windows-1254': 'Sonraki tren cuma günü kalkıyor, şimdi değil.',
    'windows-1257': 'Vilciens atiet piektdien pulksten sešos.',
    'windows-1251': 'Поезд отходит в пятницу.',
  }
  for (const [charset, text] of Object.entries(texts))
    it(`is decoded as the page declares: ${charset}`, async () => {
      const page = `<meta http-equiv="Content-Type" content="text/html; charset=${charset}"><p>${text}</p>`
      for (const type of ['text/html', 'text/html; charset=us-ascii'])
        assert.equal(
          await read(Buffer.concat([Buffer.from(`${HEAD}Content-Type: ${type}\n\n`), iconv.encode(page, charset)])),
          `${SHOWN}${text}\n\n`,
        )
    })
})
