import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCutAnywhere } from '../../../test/support/assert-cut-anywhere.ts'
import type { ParseEvent } from '../parse-event.ts'
import { detectTextFormat } from '../sniff.ts'
import { readText } from '../text/read-text.ts'
import type { TextKind } from './mail-parts.ts'
import { type Alternatives, createAlternatives, createMailReader } from './mail-reader.ts'

const HEAD = 'From: Ann <ann@example.com>\nTo: bo@example.com\nSubject: Duty\nMIME-Version: 1.0\n'
const PLAIN = 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: '

/** `mail` is bytes, or a text in UTF-8. */
function readEvents(mail: string | Buffer): ParseEvent[] {
  return [...readText(createMailReader, Buffer.from(mail).toString('latin1'))]
}

function read(mail: string | Buffer): string {
  return readEvents(mail)
    .flatMap((event) => ('block' in event ? [event.block.text] : []))
    .join('')
}

function warnings(mail: string): string[] {
  return readEvents(mail).flatMap((event) => ('warning' in event ? [event.warning] : []))
}

/** Creates a mail of parts; each starts with its fields. */
function mailOf(parts: readonly string[], kind = 'mixed'): string {
  const body = parts.map((part) => `--b1\n${part}\n`).join('')
  return `${HEAD}Content-Type: multipart/${kind}; boundary="b1"\n\nFor old programs.\n${body}--b1--\nBehind it.\n`
}

test('decodes text of any transfer encoding and charset', () => {
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

test('decodes header fields and skips technical fields', () => {
  const mail = `Received: from a by b; x\nSubject: =?utf-8?q?Geb=C3=BC?=\n =?utf-8?b?aHJlbg==?= 2026\nFrom: =?iso-8859-1?q?J=F6rg?= <j@example.com>\n\nText.\n`
  assert.equal(read(mail), 'Gebühren 2026\n\nFrom: Jörg <j@example.com>\n\nText.\n\n')
})

test('prefers plain text over HTML unless it is a stub', () => {
  const page = (words: string) => `Content-Type: text/html\n\n<p>${words}</p>`
  const plain = 'Content-Type: text/plain\n\nPay by May.'
  assert.match(read(mailOf([plain, page('Pay by <b>May</b>.')], 'alternative')), /example\.com\n\nPay by May\.\n\n$/)
  const long = 'Pay by May. '.repeat(40).trim()
  assert.ok(read(mailOf([plain, page(long)], 'alternative')).endsWith(`example.com\n\n${long}\n\n`))
  assert.match(read(mailOf([page('Pay by May.')])), /Pay by May\.\n\n$/)
})

test('reads attached mails and names attached files', () => {
  const inner = 'Content-Type: message/rfc822\n\nFrom: cid@example.com\nSubject: Earlier\n\nIt was less.'
  const file = 'Content-Type: application/pdf; name="duty.pdf"\nContent-Transfer-Encoding: base64\n\nJVBERi0='
  const escaped = "Content-Type: text/csv\nContent-Disposition: attachment; filename*=utf-8''Geb%C3%BChr.csv\n\na,b"
  const mail = mailOf([`${PLAIN}7bit\n\nPay by May.`, inner, file, escaped])
  assert.match(read(mail), /Pay by May\.\n\nEarlier\n\nFrom: cid@example\.com\n\nIt was less\.\n\n$/)
  assert.deepEqual(warnings(mail), ['2 attached files were not read: duty.pdf, Gebühr.csv.'])
})

test('reads an encoded attached mail, also with another inside', () => {
  const coded = (mail: string) =>
    `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${Buffer.from(mail).toString('base64').replace(/.{76}/g, '$&\n')}`
  const inner = `Subject: Roster\n${PLAIN}8bit\n\nDie Wache übernimmt Bo.\n`
  const outer = `Subject: Plan\nContent-Type: multipart/mixed; boundary="b2"\n\n--b2\n${coded(inner)}\n--b2--\n`
  assert.deepEqual(
    readEvents(mailOf([`${PLAIN}8bit\n\nSee below.`, coded(outer), `${PLAIN}8bit\n\nYours, Ann`]))
      .flatMap((event) => ('block' in event ? [[event.block.level ?? 0, event.block.text.trim()]] : []))
      .slice(2),
    [
      [0, 'See below.'],
      [2, 'Plan'],
      [3, 'Roster'],
      [0, 'Die Wache übernimmt Bo.'],
      [0, 'Yours, Ann'],
    ],
  )
})

test('reads a saved page with its title once and without sender', () => {
  const page =
    '<html><head><title>The weir</title></head><body><h1>The\n weir</h1><p>Herons are back.</p></body></html>'
  const head = 'From: <Saved by Blink>\nSubject: The weir\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n'
  const shown = 'The weir\n\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n\nHerons are back.\n\n'
  assert.equal(
    read(`${head}Content-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: text/html\n\n${page}\n--b--\n`),
    shown,
  )
})

test('reads the mails of a folder in order', () => {
  const one = `From ann@example.com Thu Mar 14 09:05:00 2026\n${HEAD}\nPay by May.\n\n`
  assert.equal(read(one.repeat(2)), read(one).repeat(2))
  assert.match(read(`${one}From here on it is 09:05.\n`), /From here on it is 09:05\.\n\n$/)
})

test('reads a broken or endlessly nested mail as far as possible', () => {
  assert.match(
    read(`${HEAD}Content-Type: multipart/mixed; boundary=b1\n\n--b1\n${PLAIN}7bit\n\nPay by May.`),
    /Pay by May/,
  )
  assert.match(read(`${HEAD}${PLAIN}quoted-printable\n\n100 =ZZ % =\n`), /100 =ZZ %/)
  assert.match(read(`${HEAD}${'Content-Type: message/rfc822\n\n'.repeat(5_000)}Text.`), /^Duty/)
})

const ENCODED = `${PLAIN}base64\n\nUGF5IGJ5IE1heS4K\n`

test('joins fields and keeps text around damaged lines', () => {
  assert.match(read(HEAD.replace('Duty', 'Duty of the\nwatch')), /^Duty of the watch\n/)
  assert.match(read(mailOf(['From Monday we open.', 'Pay: by May.\nAll of it.'])), /From Monday we open\.\n\nAll of it/)
})

test('recognizes a damaged mail without a name only by its encoding', () => {
  for (const mail of [`\n${HEAD}strange X-Field: value\n${ENCODED}`, `MIME-Version: 1.0\n${ENCODED}`])
    assert.equal(detectTextFormat(mail, null), 'mail', mail)
  assert.equal(detectTextFormat(`Dear Ann,\n${HEAD}${ENCODED}`, null), 'txt')
  assert.equal(detectTextFormat('Mail:\nthe words\nof a text: these\nand more\n', null), 'txt')
})

test('reads seven-bit and Macintosh encodings, and names unknown ones', () => {
  const mail = (charset: string, body: string) =>
    Buffer.from(`${HEAD}Content-Type: text/plain; charset=${charset}\n\n${body}\n`, 'latin1')
  assert.match(read(mail('utf-7', 'Geb+APw-hr')), /Gebühr/)
  assert.match(read(mail('hz-gb-2312', '~{<:Ky~}.')), /己所\./)
  assert.match(read(mail('iso-2022-kr', '\x1b$)C\n\x0eGQ1[\x0f!')), /한글!/)
  assert.match(read(mail('x-mac-roman', 'Geb\x9fhr 9 \xdb')), /Gebühr 9 €/)
  assert.deepEqual(warnings(mail('x-none', 'Pay.').toString()), [
    'The encoding "x-none" of a text is not known; it was read in the encoding that fits best.',
  ])
})

test('applies a declared charset per part if plausible', () => {
  const mail = (charset: string, body: string, transfer = '8bit') =>
    Buffer.from(
      `From x Thu Mar 14 09:05:00 2026\n${HEAD}Content-Type: text/plain${charset}\nContent-Transfer-Encoding: ${transfer}\n\n${body}\n\n`,
      'latin1',
    )
  const utf8 = Buffer.from('Gebühr 9 €').toString('latin1')
  const read8 = (...mails: Buffer[]) => read(Buffer.concat(mails)).match(/G\S+ .*/g)
  assert.deepEqual(
    read8(mail('; charset=utf-8', utf8), mail('; charset=iso-8859-15', 'Geb\xfchr 9 \xa4'), mail('', utf8)),
    ['Gebühr 9 €', 'Gebühr 9 €', 'Gebühr 9 €'],
  )
  assert.deepEqual(read8(mail('; charset=us-ascii', 'Geb\xfchr 9 \x80'), mail('; charset=x-none', utf8)), [
    'Gebühr 9 €',
    'Gebühr 9 €',
  ])
  assert.deepEqual(read8(mail('; charset=iso-8859-1', 'Geb=FChr 9 =80', 'quoted-printable')), ['Gebühr 9 €'])
  const subject = Buffer.concat([Buffer.from('From: a@example.com\nSubject: Voil\xc3\xa0\n\nText.', 'latin1')])
  assert.equal(read(subject).split('\n')[0], 'Voilà')
})

test('ignores a byte order mark', () => {
  assert.match(read(`\uFEFF${HEAD}\nText.`), /^Duty\n\nFrom: Ann/)
})

test('skips alternatives for programs', () => {
  const event = 'Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nSUMMARY:Duty'
  const amp = 'Content-Type: text/x-amp-html\n\n<html amp4email>'
  const page = 'Content-Type: text/html\n\n<title>Mailing 7</title><h1>Pay</h1><p>By May.</p>'
  const style = 'Content-Type: text/css\n\nbody {color: red}'
  assert.match(read(mailOf(['\nPay by May.', amp, event], 'alternative')), /example\.com\n\nPay by May\.\n\n$/)
  assert.match(read(mailOf([event], 'alternative')), /SUMMARY:Duty/)
  assert.match(read(mailOf([page, style], 'related')), /example\.com\n\nPay\n\nBy May\.\n\n$/)
})

test('ignores signatures as attachments', () => {
  const sign = (type: string) =>
    `Content-Type: application/${type}; name=smime.p7s\nContent-Disposition: attachment\n\nx`
  const mail = mailOf(
    ['\nPay by May.', ...['pkcs7-signature', 'x-pkcs7-signature', 'pgp-signature'].map(sign)],
    'signed',
  )
  assert.match(read(mail), /Pay by May\.\n\n$/)
  assert.deepEqual(warnings(mail), [])
})

test('lowers headings below the subject', () => {
  const levels = readEvents(`${HEAD}Content-Type: text/html\n\n<h1>Pay</h1><h2>When</h2><p>By May.`)
  assert.deepEqual(
    levels.flatMap((event) => ('block' in event && event.block.kind === 'heading' ? [event.block.level] : [])),
    [1, 2, 3],
  )
})

test('emits text before attached mails, each at its depth', () => {
  const inner = (subject: string) => `Content-Type: message/rfc822\n\nSubject: ${subject}\n\nIt was less.\n`
  const within = 'Content-Type: multipart/mixed; boundary=b2\n\n--b2\nContent-Type: text/html\n\nPay.\n--b2\n'
  const mail = mailOf(['\nPay.', `${within}${inner('Earlier')}--b2--`], 'alternative')
  assert.match(read(mail), /example\.com\n\nPay\.\n\nEarlier\n\nIt was less\.\n\n$/)
  const many = readEvents(mailOf(Array.from({ length: 50 }, (_, index) => inner(`No ${index}`))))
  const levels = many.flatMap((event) => ('block' in event ? (event.block.level ?? []) : []))
  assert.deepEqual(levels, [1, ...Array(50).fill(2)])
})

test('reads attachment names in all notations', () => {
  const file = (name: string) => `Content-Type: application/pdf\nContent-Disposition: attachment; ${name}\n\nx`
  for (const [name, shown] of [
    ["filename*0*=utf-8''Geb%C3;\n filename*1*=%BChr; filename*2=\" '26.pdf\"", "Gebühr '26.pdf"],
    ["filename=duty.pdf; filename*=iso-8859-1'de'Geb%FChr.pdf", 'Gebühr.pdf'],
    ['filename="a \\"b\\"; c.pdf"', 'a "b"; c.pdf'],
    ['filename="=?utf-8?q?Geb=C3=BChr.pdf?="', 'Gebühr.pdf'],
    ['filename="open', 'open'],
  ] as const)
    assert.deepEqual(warnings(mailOf(['\nText.', file(name)])), [`1 attached file was not read: ${shown}.`], name)
})

test('reads many parts, deep nesting and endless lines in linear time', () => {
  const count = 3_000
  const nested = Array.from(
    { length: count },
    (_, at) => `Content-Type: multipart/mixed; boundary=n${at}\n\n--n${at}\n`,
  )
  assert.match(read(mailOf(Array(count).fill('\nPay'), 'alternative')), /Pay\n\n$/)
  assert.match(warnings(`${HEAD}${nested.join('')}\nInnermost.`)[0] ?? '', /^1 attached file was not read/)
  for (const field of [
    `Content-Type: multipart/mixed; boundary="${'; boundary="'.repeat(count)}`,
    `Cc: ${'=?utf-8?q?a?= '.repeat(count)}`,
    `X: ${'=?utf-8?q?'.repeat(100 * count)}`,
    `X: a\n${' folded\n'.repeat(10 * count)}`,
  ])
    assert.match(read(`${HEAD}${field}\n\nText.`), /^Duty/)
  assert.match(read(`${HEAD}${PLAIN}quoted-printable\n\n${' '.repeat(50 * count)}x`), /x\n\n$/)
})

test('truncates a too long line with a warning', () => {
  const mail = `${HEAD}${PLAIN}base64\n\n${' '.repeat(20_000_000)}VGV4dC4K\n`
  assert.match(warnings(mail).join(), /more than 20,000,000 characters/)
})

test('rejects a mail without text', () => {
  assert.throws(() => read('Message-ID: <1@example.com>\nReceived: x\n\n'), { code: 'unprocessable_document' })
})

test('returns the same text for any chunk borders', () => {
  assertCutAnywhere(
    createMailReader,
    mailOf([`${PLAIN}quoted-printable\n\nGeb=C3=BChr =\nnow.`, 'Content-Type: text/html\n\n<p>a']),
  )
})

test('detects a mail by its name or its encoding', () => {
  const mail = { format: 'mail' } as Parameters<typeof detectTextFormat>[1]
  assert.equal(detectTextFormat(`${HEAD}\nText.`, mail), 'mail')
  assert.equal(detectTextFormat(`${HEAD}${PLAIN}base64\n\nVGV4dC4=`, null), 'mail')
  assert.equal(detectTextFormat(`${HEAD}\nText.`, null), 'txt')
  assert.equal(detectTextFormat('Words of a letter.\n', mail), 'txt')
  assert.equal(detectTextFormat(`How mails are written:\n\n${HEAD}${PLAIN}base64\n\nVGV4dC4=`, null), 'txt')
})

function collect(use: (choices: Alternatives, add: (text: string, kind?: TextKind) => void) => void): string[] {
  const given: string[] = []
  const choices = createAlternatives(({ text }) => given.push(text))
  use(choices, (text, kind = 'plain') => choices.add([{ text, kind: 'paragraph' }], kind))
  return given
}

test('chooses text, HTML instead of a stub, or the rest', () => {
  const choose = (plain: string, page: string, other: string) =>
    collect((choices, add) => {
      choices.begin()
      add(plain)
      add(page, 'page')
      add(other, 'other')
      choices.end()
    }).join('')
  assert.equal(choose('text', 'page', 'event'), 'text')
  assert.equal(choose('text', 'page'.repeat(100), 'event'), 'page'.repeat(100))
  assert.equal(choose(' ', 'page', 'event'), 'page')
  assert.equal(choose('', '', 'event'), 'event')
})

test('reads a page whose words are not in the plain text', () => {
  const page = 'The ferry needs a new keel by June.'
  const choose = (plain: string) =>
    collect((choices, add) => {
      choices.begin()
      add(plain)
      add(page, 'page')
      choices.end()
    })
  assert.deepEqual(choose('Your mail program cannot show HTML.'), [page])
  assert.deepEqual(choose('THE FERRY needs a new keel by June'), ['THE FERRY needs a new keel by June'])
  const other = 'Berths stay closed until somebody has been there. '.repeat(6)
  assert.deepEqual(choose(other), [other, page])
})

test('treats a nested alternative as HTML', () => {
  const given = collect((choices, add) => {
    choices.begin()
    add('outer')
    choices.begin()
    add('inner')
    choices.end()
    add('page '.repeat(100), 'page')
    choices.end()
  })
  assert.deepEqual(given, ['inner', 'page '.repeat(100)])
})

test('emits previous content before a new mail', () => {
  const given = collect((choices, add) => {
    choices.begin()
    add('before')
    choices.settle()
    assert.equal(add('after'), undefined)
    choices.end()
    add('behind')
  })
  assert.deepEqual(given, ['before', 'after', 'behind'])
})

test('handles endless alternatives in linear time', () => {
  const given = collect((choices, add) => {
    choices.begin()
    for (let part = 0; part < 200_000; part += 1) add('text')
    choices.end()
  })
  assert.equal(given.length, 200_000)
})
