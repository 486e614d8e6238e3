import type { ParseEvent, SourceFile } from '../parse-event.ts'
import { openImage } from './open-image.ts'

/**
 * Announces the pages of a picture, all of which have to be recognised: each of a TIFF, the first of an animation. A pixel counts as a
 * point; all pages bear the size of the first. Throws `image_unreadable` as `openImage` does.
 */
export async function* readImage({ path }: Pick<SourceFile, 'path'>): AsyncGenerator<ParseEvent> {
  const { pages, isAnimation, width, height } = await openImage(path)
  const pageCount = isAnimation ? 1 : pages
  yield { pageCount }
  for (let page = 1; page <= pageCount; page++) {
    yield { scan: { page, widthPoints: width, heightPoints: height, text: '' } }
  }
}
