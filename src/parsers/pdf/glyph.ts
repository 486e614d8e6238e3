/** A character as it stands on the page, in points, y upwards, turned so that its line runs to the right. */
export type Glyph = {
  text: string
  left: number
  right: number
  baseline: number
  size: number
  isBold: boolean
  /** Degrees by which its line was turned on the page. */
  angle: number
  /** True when no character was there: PDFium saw a gap or the end of a line. */
  isGenerated: boolean
  /** It is read behind the one before, wherever that stands: in a line from right to left numbers run to the right. */
  isOrdered?: true
  /** Its font is pictures and has no name, as old papers of TeX have them: its text may be no more than the code of its place. */
  isOfPictures?: true
}
