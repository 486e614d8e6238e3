/** x */
export async function runPdfBench(_args: string[]): Promise<boolean> {
  return true
}
