import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { bufferBytes } from '../../src/parsers/byte-source.ts'
import { createUnpackBudget } from '../../src/parsers/ooxml/package/unpack-budget.ts'
import { openZip } from '../../src/parsers/ooxml/package/zip-archive.ts'
import { buildZip } from '../../test/support/build-zip.ts'
import { pick, type Random } from '../random.ts'
import { mutate } from './mutate.ts'

/** An intact file, the base of mutated files. */
export type Sample = {
  name: string
  bytes: Buffer
  /** The entries by name where the file is a zip archive. */
  parts: ReadonlyMap<string, Buffer> | null
}

/** Small files are mutated in relevant places and read quickly. */
const MAX_BYTES = 200_000
const MAX_SAMPLES = 8
/**
 * The share of mutated archives whose packed content is mutated before repacking. The rest are
 * mutated as files.
 */
const INSIDE_SHARE = 0.7
const SPELLINGS: Readonly<Record<string, string>> = { jpeg: 'jpg', tiff: 'tif', htm: 'html', markdown: 'md' }

/** The smallest files of a folder by format, the file extension. Files over 200 kB are left out. */
export async function readSamples(folder: string): Promise<Map<string, Sample[]>> {
  const files = readdirSync(folder)
    .map((name) => ({ name, ...sizeOf(join(folder, name)) }))
    .filter(({ bytes, name }) => bytes > 0 && bytes <= MAX_BYTES && extname(name) !== '' && !/^[A-Z]+\.\w+$/.test(name))
    .sort((a, b) => a.bytes - b.bytes)
  const samples = new Map<string, Sample[]>()
  for (const { name } of files) {
    const extension = extname(name).slice(1).toLowerCase()
    const format = SPELLINGS[extension] ?? extension
    const list = samples.get(format) ?? []
    samples.set(format, list)
    if (list.length < MAX_SAMPLES) list.push(await openSample(name, readFileSync(join(folder, name))))
  }
  return samples
}

/** A sample with these bytes. */
export async function openSample(name: string, bytes: Buffer): Promise<Sample> {
  const parts = bytes.subarray(0, 2).toString('latin1') === 'PK' ? await unpack(bytes) : null
  return { name, bytes, parts }
}

/** A mutated copy of one of the samples, and the mutations. */
export function spoil(samples: readonly Sample[], random: Random): { bytes: Buffer; how: string } {
  const { name, bytes, parts } = pick(random, samples)
  if (parts === null || random() >= INSIDE_SHARE) {
    const spoiled = mutate(
      bytes,
      random,
      samples.map((sample) => sample.bytes),
    )
    return { bytes: spoiled.bytes, how: `${name}: ${spoiled.by.join(', ')}` }
  }
  const part = pick(random, [...parts.keys()])
  const spoiled = mutate(parts.get(part) ?? Buffer.alloc(0), random, [...parts.values()])
  const files = Object.fromEntries([...parts, [part, spoiled.bytes]])
  return { bytes: buildZip(files), how: `${name}, ${part}: ${spoiled.by.join(', ')}` }
}

function sizeOf(path: string): { bytes: number } {
  const stats = statSync(path)
  return { bytes: stats.isFile() ? stats.size : 0 }
}

/** `null` for an already damaged archive. */
async function unpack(bytes: Buffer): Promise<Map<string, Buffer> | null> {
  const parts = new Map<string, Buffer>()
  try {
    const archive = await openZip(bufferBytes(bytes), { budget: createUnpackBudget() })
    for (const name of archive.names) {
      const pieces: Buffer[] = []
      for await (const piece of archive.read(name)) pieces.push(piece)
      parts.set(name, Buffer.concat(pieces))
    }
  } catch {
    return null
  }
  return parts.size === 0 ? null : parts
}
