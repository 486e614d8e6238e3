import { crc32, deflateRawSync } from 'node:zlib'

/** A member of an archive, with everything that a hostile or old writer may set. */
export type ArchiveMemberSpec = {
  /** A text as UTF-8, or the bytes as written. */
  name: string | Buffer
  content?: string | Buffer
  /** Bit flags; 1 encrypted, 8 descriptor, 2048 UTF-8. */
  flags?: number
  method?: number
  extra?: Buffer
  /** Unix mode, as in `0o120777` for a link. */
  mode?: number
  /** Unpacked size and checksum that the directory states. */
  bytes?: number
  crc?: number
  /** True: only a local header, and no line of the directory. */
  isUnlisted?: boolean
}

/** Builds a zip archive member by member; names may repeat. */
export function buildArchive(members: readonly ArchiveMemberSpec[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const member of members) {
    const name = Buffer.from(member.name as string)
    const content = Buffer.from((member.content ?? '') as string)
    const method = member.method ?? 8
    const packed = method === 8 ? deflateRawSync(content) : content
    const local = Buffer.concat([localHeader(member, name, { content, packed }), name, packed])
    bodies.push(local)
    if (!member.isUnlisted) directory.push(centralHeader(member, name, { content, packed, offset }))
    offset += local.length
  }
  const end = Buffer.alloc(22)
  const lines = Buffer.concat(directory)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(lines.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, lines, end])
}

type Body = { content: Buffer; packed: Buffer }

function localHeader({ flags = 0, method = 8 }: ArchiveMemberSpec, name: Buffer, { content, packed }: Body): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(crc32(content), 14)
  header.writeUInt32LE(packed.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return header
}

function centralHeader(member: ArchiveMemberSpec, name: Buffer, body: Body & { offset: number }): Buffer {
  const { content, packed, offset } = body
  const { flags = 0, method = 8, extra = Buffer.alloc(0), mode = 0, bytes = content.length } = member
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(method, 10)
  header.writeUInt32LE(member.crc ?? crc32(content), 16)
  header.writeUInt32LE(packed.length, 20)
  header.writeUInt32LE(bytes, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(mode * 65_536, 38)
  header.writeUInt32LE(offset, 42)
  return Buffer.concat([header, name, extra])
}
