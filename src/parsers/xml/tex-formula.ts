const BEGIN = '\\begin{document}'
const END = '\\end{document}'

/** Holds what an article (JATS) has in `tex-math`: a whole file of TeX around each formula. */
export type TexFormula = {
  begin(name: string): void
  /** True where the text is held. */
  take(text: string): boolean
  /** The formula that ends; '' for other elements. */
  end(name: string): string
}

/** Makes that of one file. */
export function createTexFormula(): TexFormula {
  let pieces: string[] | null = null
  return {
    begin(name) {
      if (name === 'tex-math') pieces = []
    },
    take(text) {
      pieces?.push(text)
      return pieces !== null
    },
    end(name) {
      if (name !== 'tex-math') return ''
      const file = pieces?.join('') ?? ''
      pieces = null
      const [from, to] = [file.indexOf(BEGIN), file.lastIndexOf(END)]
      return from === -1 || to < from ? file : file.slice(from + BEGIN.length, to)
    },
  }
}
