import type { ParseEvent } from '../../parse-event.ts'
import { createParagraphTexts } from '../drawing/paragraph-texts.ts'
import { readObject } from '../drawing/read-object.ts'
import { paragraphOf } from '../office-block.ts'
import type { OfficeEvent } from '../office-event.ts'
import type { OfficePackage } from '../package/office-package.ts'
import { getPrefixed } from '../xml/xml-handler.ts'

/** What is drawn on a sheet: text boxes, charts and diagrams, in the order of the file. */
export async function* readSheetDrawing(pkg: OfficePackage, part: string): AsyncGenerator<ParseEvent> {
  const events: OfficeEvent[] = []
  const texts = createParagraphTexts((text) => {
    const block = paragraphOf(text)
    if (block !== null) events.push({ block })
  })
  await pkg.tryFeed(part, {
    open(name, attributes) {
      const id = getPrefixed(attributes, name === 'relIds' ? 'dm' : 'id')
      if (id !== null && name === 'chart') events.push({ object: { kind: 'chart', id } })
      if (id !== null && name === 'relIds') events.push({ object: { kind: 'diagram', id } })
      return texts.open(name, attributes)
    },
    close: texts.close,
    text: texts.text,
  })
  const relationships = await pkg.listRelationships(part)
  for (const event of events) {
    if ('block' in event) yield event
    else yield* readObject(event.object, { pkg, relationships, readEmbedded: null })
  }
}
