import {
  BookOpen,
  FileCode,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  type IconNode,
  Mail,
  Presentation,
} from 'lucide'
import { Icon } from './icon.tsx'

type Kind = readonly [type: RegExp, kind: string, name: string, icon: IconNode]

const PLAIN: Kind = [/./, 'plain', 'Text', FileText]

/** Kinds of files with their icons, by a part of the media type or of the file name. */
const KINDS: readonly Kind[] = [
  [/pdf/, 'pdf', 'PDF', FileType],
  [/^image|\.(png|jpe?g|webp|gif|tiff?|bmp|svg)$/, 'picture', 'Image', FileImage],
  [/sheet|excel|csv|tab-separated|\.(xls[xm]?|ods|csv|tsv)$/, 'table', 'Table', FileSpreadsheet],
  [/presentation|powerpoint|\.(pp[ts][xm]?|odp)$/, 'slides', 'Slides', Presentation],
  [/word|rtf|opendocument\.text|\.(doc[xm]?|odt)$/, 'words', 'Text document', FileText],
  [/epub/, 'words', 'Book', BookOpen],
  [/rfc822|mbox|\.eml$/, 'mail', 'Mail', Mail],
  [/html|xml|json|\.jsonl$/, 'code', 'Structured text', FileCode],
]

/** Icon of a type of file, from its media type or its name. */
export function FileIcon({ mimeType }: { mimeType: string }) {
  const [, kind, name, icon] = KINDS.find(([type]) => type.test(mimeType.toLowerCase())) ?? PLAIN
  return (
    <span class={`file-icon ${kind}`} title={name}>
      <Icon of={icon} label={name} />
    </span>
  )
}
