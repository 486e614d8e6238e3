import { drawPanels, type Panel } from './draw-panels.ts'
import type { Stage } from './grow-memory.ts'

const MODES = ['hybrid', 'lexical', 'semantic'] as const

/** The cost of growth as an SVG with four panels over the number of chunks. */
export function drawGrowth(stages: readonly Stage[]): string {
  const points = (value: (stage: Stage) => number | null | undefined): Panel['lines'][number]['points'] =>
    stages.flatMap((stage) => {
      const y = value(stage)
      return y === null || y === undefined ? [] : [{ x: stage.chunks, y }]
    })
  const findsOf = (stage: Stage, mode: string) => stage.finds.find((finds) => finds.mode === mode)
  return drawPanels([
    {
      title: 'One find, p50 in ms (dashed: Lance alone)',
      isLogarithmic: true,
      lines: MODES.flatMap((mode) => [
        { name: mode, points: points((stage) => findsOf(stage, mode)?.ours.p50) },
        { name: mode, isDashed: true, points: points((stage) => findsOf(stage, mode)?.raw.p50) },
      ]),
    },
    { title: 'Added, chunks/s', lines: [{ name: 'chunks/s', points: points((stage) => stage.perSecond) }] },
    { title: 'On disk, bytes a chunk', lines: [{ name: 'bytes', points: points((stage) => stage.bytesAChunk) }] },
    {
      title: 'In memory, MB',
      lines: [
        { name: 'most', points: points((stage) => stage.megabytes.most) },
        { name: 'now', points: points((stage) => stage.megabytes.now) },
      ],
    },
  ])
}
