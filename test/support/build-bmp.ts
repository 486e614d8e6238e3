/**
 * A BMP of 8-bit greys (`data`, from the top, `width` a row): a file header, a 40-byte header, a
 * palette, rows from the bottom.
 */
export function buildBmp({ data, width, height }: { data: Buffer; width: number; height: number }): Buffer {
  const rowBytes = Math.ceil(width / 4) * 4
  const start = 14 + 40 + 1024
  const file = Buffer.alloc(start + rowBytes * height)
  file.write('BM', 0, 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(start, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(8, 28)
  for (let grey = 0; grey < 256; grey++) file.fill(Buffer.from([grey, grey, grey, 0]), 54 + 4 * grey, 58 + 4 * grey)
  for (let row = 0; row < height; row++) {
    data.copy(file, start + (height - 1 - row) * rowBytes, row * width, (row + 1) * width)
  }
  return file
}
