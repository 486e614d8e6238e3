/** Gives the bytes of an answer to the person under this name. A link cannot carry the key, so they are read first. */
export async function saveAnswer(answer: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
