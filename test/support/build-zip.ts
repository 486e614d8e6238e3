import { crc32, deflateRawSync } from 'node:zlib'

/** The contents of a zip archive by name. */
export type ZipFiles = Readonly<Record<string, string | Buffer>>

/** Deviations from a plain archive. */
export type ZipOddities = {
  isStored?: boolean
  isEncrypted?: boolean
  /** Sizes and checksum after the content, zeros before. */
  hasDescriptors?: boolean
  isZip64?: boolean
  /** Every entry of the directory points to the first file. */
  isOverlapping?: boolean
  hasWrongChecksums?: boolean
}

/** Builds a zip archive. */
export function buildZip(files: ZipFiles, oddities: ZipOddities = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const entry = entryOf(name, Buffer.from(content), oddities)
    const at = oddities.isOverlapping ? 0 : offset
    bodies.push(entry.local)
    directory.push(centralHeader(entry, at, oddities))
    offset += entry.local.length
  }
  return Buffer.concat([
    ...bodies,
    ...directory,
    ...endRecords(Buffer.concat(directory).length, directory.length, offset, oddities),
  ])
}

type Entry = {
  name: Buffer
  local: Buffer
  packedBytes: number
  bytes: number
  crc: number
  method: number
  flags: number
}

function entryOf(name: string, content: Buffer, oddities: ZipOddities): Entry {
  const packed = oddities.isStored ? content : deflateRawSync(content)
  const crc = oddities.hasWrongChecksums ? 1 : crc32(content)
  const flags = (oddities.isEncrypted ? 1 : 0) | (oddities.hasDescriptors ? 8 : 0)
  const method = oddities.isStored ? 0 : 8
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  if (!oddities.hasDescriptors) {
    header.writeUInt32LE(crc, 14)
    header.writeUInt32LE(packed.length, 18)
    header.writeUInt32LE(content.length, 22)
  }
  const nameBytes = Buffer.from(name)
  header.writeUInt16LE(nameBytes.length, 26)
  const descriptor = oddities.hasDescriptors ? descriptorOf(crc, packed.length, content.length) : Buffer.alloc(0)
  const local = Buffer.concat([header, nameBytes, packed, descriptor])
  return { name: nameBytes, local, packedBytes: packed.length, bytes: content.length, crc, method, flags }
}

function descriptorOf(crc: number, packedBytes: number, bytes: number): Buffer {
  const descriptor = Buffer.alloc(16)
  descriptor.writeUInt32LE(0x08074b50, 0)
  descriptor.writeUInt32LE(crc, 4)
  descriptor.writeUInt32LE(packedBytes, 8)
  descriptor.writeUInt32LE(bytes, 12)
  return descriptor
}

function centralHeader(entry: Entry, offset: number, { isZip64 = false }: ZipOddities): Buffer {
  const header = Buffer.alloc(46)
  const extra = Buffer.alloc(isZip64 ? 28 : 0)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(entry.flags, 8)
  header.writeUInt16LE(entry.method, 10)
  header.writeUInt32LE(entry.crc, 16)
  header.writeUInt32LE(isZip64 ? 0xffffffff : entry.packedBytes, 20)
  header.writeUInt32LE(isZip64 ? 0xffffffff : entry.bytes, 24)
  header.writeUInt16LE(entry.name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(isZip64 ? 0xffffffff : offset, 42)
  if (isZip64) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(24, 2)
    extra.writeBigUInt64LE(BigInt(entry.bytes), 4)
    extra.writeBigUInt64LE(BigInt(entry.packedBytes), 12)
    extra.writeBigUInt64LE(BigInt(offset), 20)
  }
  return Buffer.concat([header, entry.name, extra])
}

function endRecords(bytes: number, count: number, offset: number, { isZip64 = false }: ZipOddities): Buffer[] {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(isZip64 ? 0xffff : count, 8)
  end.writeUInt16LE(isZip64 ? 0xffff : count, 10)
  end.writeUInt32LE(isZip64 ? 0xffffffff : bytes, 12)
  end.writeUInt32LE(isZip64 ? 0xffffffff : offset, 16)
  if (!isZip64) return [end]
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeBigUInt64LE(BigInt(count), 24)
  end64.writeBigUInt64LE(BigInt(count), 32)
  end64.writeBigUInt64LE(BigInt(bytes), 40)
  end64.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return [end64, locator, end]
}
