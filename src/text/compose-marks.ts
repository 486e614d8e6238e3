/**
 * Letters and their accents as one character (NFC). `é` is one character or two, by the system that wrote it: the same to whoever reads it, and
 * other bytes.
 */
export function composeMarks(text: string): string {
  return text.normalize('NFC')
}
