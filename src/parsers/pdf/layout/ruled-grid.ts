import type { Rule } from './rule.ts'

/** Maximum distance of lines that meet, or that form one border, in points. */
const MEETING_POINTS = 3
/** Lines that extend further, in points, form an open column: a table without side borders. */
const MIN_OPEN_POINTS = 8
/** No readable table has more columns or rows; drawings do. */
const MAX_COLUMNS = 60
const MAX_ROWS = 500
const MAX_RULES = 1_500
/** Minimum share of the table in boxes of a single column. Forms have boxes of many widths. */
const MIN_PLAIN_SHARE = 0.6
const MIN_BOXES = 4

/** A cell that rules enclose; the rows and columns that it spans, from 0 and inclusive. */
export type Box = { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number }

/** A ruled table: its borders from left to right and from top to bottom, and its boxes. */
export type Grid = {
  xs: readonly number[]
  ys: readonly number[]
  /** Returns the box at a place in the table. */
  boxAt(row: number, column: number): Box
}

/** Finds the tables whose cells are separated by rules. */
export function findGrids(rules: readonly Rule[]): Grid[] {
  if (rules.length < MIN_BOXES) return []
  const joined = joinRules(rules)
  if (joined.length > MAX_RULES) return []
  return groupMeeting(joined).flatMap((group) => createGrid(group) ?? [])
}

/** Groups rules that meet, directly or through others. */
function groupMeeting(rules: readonly Rule[]): Rule[][] {
  const owners = rules.map((_, index) => index)
  const find = (index: number): number => {
    let at = index
    while (owners[at] !== at) {
      owners[at] = owners[owners[at] ?? at] ?? at
      at = owners[at] ?? at
    }
    return at
  }
  const uprights = rules.flatMap((rule, index) => (rule.isLevel ? [] : [index]))
  for (const [index, level] of rules.entries()) {
    if (!level.isLevel) continue
    for (const upright of uprights) if (meets(level, rules[upright] ?? level)) owners[find(upright)] = find(index)
  }
  const groups = new Map<number, Rule[]>()
  for (const [index, rule] of rules.entries()) {
    const group = groups.get(find(index))
    if (group === undefined) groups.set(find(index), [rule])
    else group.push(rule)
  }
  return [...groups.values()]
}

function meets(level: Rule, upright: Rule): boolean {
  return (
    upright.at >= level.from - MEETING_POINTS &&
    upright.at <= level.to + MEETING_POINTS &&
    level.at >= upright.from - MEETING_POINTS &&
    level.at <= upright.to + MEETING_POINTS
  )
}

/** `null` for rules that do not enclose the cells of a table. */
function createGrid(rules: readonly Rule[]): Grid | null {
  const levels = rules.filter(({ isLevel }) => isLevel)
  const uprights = rules.filter(({ isLevel }) => !isLevel)
  if (levels.length < 2 || uprights.length === 0) return null
  const xs = listBorders(uprights, levels)
  const ys = listBorders(levels, uprights).reverse()
  const [rows, columns] = [ys.length - 1, xs.length - 1]
  if (rows < 2 || columns < 2 || rows > MAX_ROWS || columns > MAX_COLUMNS) return null
  const boxes = joinSlots({
    rows,
    columns,
    walls: findWalls({ xs, ys }, uprights),
    floors: findFloors({ xs, ys }, levels),
  })
  if (boxes === null || !isPlain(boxes)) return null
  return { xs, ys, boxAt: (row, column) => boxes[row * columns + column] as Box }
}

/** Positions of parallel rules in ascending order, and the open ends of the rules across. */
function listBorders(rules: readonly Rule[], across: readonly Rule[]): number[] {
  const borders: number[] = []
  for (const { at } of [...rules].sort((a, b) => a.at - b.at))
    if (at - (borders.at(-1) ?? Number.NEGATIVE_INFINITY) > MEETING_POINTS) borders.push(at)
  const from = across.reduce((min, rule) => Math.min(min, rule.from), Number.POSITIVE_INFINITY)
  const to = across.reduce((max, rule) => Math.max(max, rule.to), Number.NEGATIVE_INFINITY)
  if ((borders[0] ?? from) - from > MIN_OPEN_POINTS) borders.unshift(from)
  if (to - (borders.at(-1) ?? to) > MIN_OPEN_POINTS) borders.push(to)
  return borders
}

type Borders = Pick<Grid, 'xs' | 'ys'>

/** `true` at `row * columns + column`: a rule on the right side of the slot. */
function findWalls({ xs, ys }: Borders, uprights: readonly Rule[]): boolean[] {
  const columns = xs.length - 1
  const walls = new Array<boolean>(columns * (ys.length - 1)).fill(false)
  for (const { at, from, to } of uprights) {
    const column = xs.findIndex((x) => Math.abs(x - at) <= MEETING_POINTS) - 1
    for (let row = 0; column >= 0 && row < ys.length - 1; row++) {
      const middle = ((ys[row] ?? 0) + (ys[row + 1] ?? 0)) / 2
      if (from <= middle && middle <= to) walls[row * columns + column] = true
    }
  }
  return walls
}

/** `true` at `row * columns + column`: a rule on the lower side of the slot. */
function findFloors({ xs, ys }: Borders, levels: readonly Rule[]): boolean[] {
  const columns = xs.length - 1
  const floors = new Array<boolean>(columns * (ys.length - 1)).fill(false)
  for (const { at, from, to } of levels) {
    const row = ys.findIndex((y) => Math.abs(y - at) <= MEETING_POINTS) - 1
    for (let column = 0; row >= 0 && column < columns; column++) {
      const middle = ((xs[column] ?? 0) + (xs[column + 1] ?? 0)) / 2
      if (from <= middle && middle <= to) floors[row * columns + column] = true
    }
  }
  return floors
}

type Slots = { rows: number; columns: number; walls: readonly boolean[]; floors: readonly boolean[] }

/** Joins slots without a rule between them; `null` if a result is no rectangle. */
function joinSlots(slots: Slots): Box[] | null {
  const { rows, columns } = slots
  const boxes = new Array<Box>(rows * columns)
  for (let first = 0; first < boxes.length; first++)
    if (boxes[first] === undefined && !fillBox(boxes, first, slots)) return null
  return boxes
}

/** Fills the box that begins at a slot; false if it is no rectangle. */
function fillBox(boxes: Box[], first: number, slots: Slots): boolean {
  const { columns } = slots
  const [row, column] = [Math.floor(first / columns), first % columns]
  const box = { firstRow: row, lastRow: row, firstColumn: column, lastColumn: column }
  const waiting = [first]
  let filled = 0
  boxes[first] = box
  for (let slot = waiting.pop(); slot !== undefined; slot = waiting.pop()) {
    filled += 1
    box.lastRow = Math.max(box.lastRow, Math.floor(slot / columns))
    box.firstColumn = Math.min(box.firstColumn, slot % columns)
    box.lastColumn = Math.max(box.lastColumn, slot % columns)
    for (const next of listOpenNeighbors(slot, slots)) {
      if (boxes[next] !== undefined) continue
      boxes[next] = box
      waiting.push(next)
    }
  }
  return filled === (box.lastRow - row + 1) * (box.lastColumn - box.firstColumn + 1)
}

/** Slots beside a slot without a rule between them. */
function listOpenNeighbors(slot: number, { rows, columns, walls, floors }: Slots): number[] {
  const column = slot % columns
  const neighbors: number[] = []
  if (column + 1 < columns && walls[slot] === false) neighbors.push(slot + 1)
  if (column > 0 && walls[slot - 1] === false) neighbors.push(slot - 1)
  if (slot + columns < rows * columns && floors[slot] === false) neighbors.push(slot + columns)
  if (slot >= columns && floors[slot - columns] === false) neighbors.push(slot - columns)
  return neighbors
}

function isPlain(boxes: readonly Box[]): boolean {
  const plain = boxes.filter(({ firstColumn, lastColumn }) => firstColumn === lastColumn).length
  return plain >= MIN_PLAIN_SHARE * boxes.length && new Set(boxes).size >= MIN_BOXES
}

/** Pieces of a line closer than this, in points, are one line. */
const MAX_BREAK_POINTS = 3
/** Maximum distance of two pieces of a line, across it. */
const MAX_OFFSET_POINTS = 1

/** Joins pieces of the same line: programs draw the border of each cell apart. */
function joinRules(rules: readonly Rule[]): Rule[] {
  const joined: Rule[] = []
  let row: Rule[] = []
  const close = () => {
    for (const rule of row.sort((a, b) => a.from - b.from)) {
      const last = joined.at(-1)
      const isNext = last !== undefined && last.isLevel === rule.isLevel && isNear(last, rule)
      if (isNext && rule.from - last.to <= MAX_BREAK_POINTS) last.to = Math.max(last.to, rule.to)
      else joined.push({ ...rule })
    }
    row = []
  }
  for (const rule of [...rules].sort((a, b) => Number(a.isLevel) - Number(b.isLevel) || a.at - b.at)) {
    const last = row.at(-1)
    if (last !== undefined && (last.isLevel !== rule.isLevel || !isNear(last, rule))) close()
    row.push(rule)
  }
  close()
  return joined
}

function isNear(one: Rule, other: Rule): boolean {
  return Math.abs(one.at - other.at) <= MAX_OFFSET_POINTS
}
