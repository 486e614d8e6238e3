/**
 * A character on the page, in points, y upwards. Coordinates are rotated so that the line runs to
 * the right.
 */
export type Glyph = {
  text: string
  left: number
  right: number
  baseline: number
  size: number
  isBold: boolean
  /** Rotation of the line on the page, in degrees. */
  angle: number
  /** True for spaces and line ends that PDFium inferred from gaps. */
  isGenerated: boolean
  /**
   * True when the glyph follows the previous glyph regardless of position: numbers in a
   * right-to-left line run to the right.
   */
  followsPrevious?: true
  /**
   * True for a nameless bitmap font (Type 3), as in old TeX papers. The text may be no more than a
   * character code.
   */
  isBitmapFont?: true
  /** Handle of the text object that draws the glyph. */
  object?: number
}
