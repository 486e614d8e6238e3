/**
 * `npm run bench -- [growth | archive | reembed | scale | formats | pdf | fuzz | answers |
 * trust | extraction | relevance | auto | chunking | embedder] …`: measures the service on this
 * machine and prints a Markdown page. Without a name: start, add, find and delete. Exits with 1
 * when a requirement is missed.
 */
const BENCHES: Readonly<Record<string, () => Promise<(args: string[]) => Promise<boolean>>>> = {
  archive: async () => (await import('./archive/run-archive-bench.ts')).runArchiveBench,
  reembed: async () => (await import('./reembed/run-reembed-bench.ts')).runReembedBench,
  formats: async () => (await import('./formats/run-formats-bench.ts')).runFormatsBench,
  pdf: async () => (await import('./pdf/run-pdf-bench.ts')).runPdfBench,
  answers: async () => (await import('./answers/run-answers-bench.ts')).runAnswersBench,
  train: async () => (await import('./trust/train.ts')).runTraining,
  trust: async () => (await import('./trust/run-trust-bench.ts')).runTrustBench,
  extraction: async () => (await import('./extraction/run-extraction-bench.ts')).runExtractionBench,
  relevance: async () => (await import('./relevance/run-relevance-bench.ts')).runRelevanceBench,
  embedder: async () => (await import('./relevance/run-embedder-bench.ts')).runEmbedderBench,
  auto: async () => (await import('./relevance/run-auto-bench.ts')).runAutoBench,
  chunking: async () => (await import('./relevance/chunking/run-chunking-bench.ts')).runChunkingBench,
  fuzz: async () => (await import('./fuzz/run-fuzz-bench.ts')).runFuzzBench,
  scale: async () => (await import('./scale/run-scale-bench.ts')).runScaleBench,
  growth: async () => (await import('./speed/run-growth-bench.ts')).runGrowthBench,
  speed: async () => (await import('./speed/run-speed-bench.ts')).runSpeedBench,
}

const [name = '', ...rest] = process.argv.slice(2)
const isNamed = Object.hasOwn(BENCHES, name)
const load = BENCHES[isNamed ? name : 'speed']
const run = await load?.()
const isGood = await run?.(isNamed ? rest : process.argv.slice(2))
process.exitCode = isGood === true ? 0 : 1
