/**
 * The properties of an old Office file (MS-OLEPS) with the title in a Windows code page, or in
 * UTF-16 where `codePage` is `null`.
 */
export function buildSummary(title: Buffer, codePage: number | null): Buffer {
  const numbers = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer)
  const values = [
    numbers(2, codePage ?? 1200),
    codePage === null
      ? Buffer.concat([numbers(0x1f, title.length / 2 + 1), title, Buffer.alloc(2)])
      : Buffer.concat([numbers(0x1e, title.length + 1), title, Buffer.alloc(1)]),
  ]
  const first = 8 + values.length * 8
  const list = numbers(1, first, 2, first + 8)
  const set = Buffer.concat([numbers(0, values.length), list, ...values])
  return Buffer.concat([
    Buffer.from('feff0000', 'hex').swap16(),
    Buffer.alloc(20),
    numbers(1),
    Buffer.alloc(16),
    numbers(48),
    set,
  ])
}
