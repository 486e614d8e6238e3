/** The files that were dropped, those of a folder and its folders with them as far as they can be read. Has to be called while the drop is handled. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  // Behind the first pause the browser gives none of them away any more.
  const entries = [...items].map((item) => item.webkitGetAsEntry())
  const loose = [...files]
  if (!entries.some((entry) => entry?.isDirectory)) return loose
  return (await Promise.all(entries.map((entry) => (entry === null ? [] : readable(entry))))).flat()
}

/** None of what cannot be read, so that the rest of the drop is taken. */
async function readable(entry: FileSystemEntry): Promise<File[]> {
  return filesOf(entry).catch(() => [])
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: File[] = []
  for (;;) {
    // It gives some at a time, and none at its end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    // What systems and programs keep for themselves is no document: .DS_Store, .git.
    for (const inner of some) if (!inner.name.startsWith('.')) found.push(...(await readable(inner)))
  }
}
