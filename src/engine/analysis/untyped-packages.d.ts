declare module 'snowball-stemmers' {
  const snowball: {
    newStemmer(algorithm: string): { stem(word: string): string }
    algorithms(): string[]
  }
  export = snowball
}

declare module 'stopword' {
  const stopword: Readonly<Record<string, readonly string[]>>
  export = stopword
}
