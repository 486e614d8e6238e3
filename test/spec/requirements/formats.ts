import { requirementsOf } from './requirement.ts'

const project = (section: string) => ({ source: 'project', section, part: 2 }) as const
const contract = (section: string) => ({ source: 'contract', section, part: 2 }) as const

/** Files of every format, scans, pictures and downloads, where the API document leaves off. */
export const formatRequirements = [
  ...requirementsOf(project('Formats'), {
    'formats.by-content': 'A wrong name and a wrong declared type do not decide: a file is read for what it is.',
    'formats.structure':
      'Headings become sections; tables keep rows and header; numbered lists their numbers; sheets and slides are pages; notes and number formats stay.',
    'formats.places': 'Pages, sections and exact offsets reach the hits.',
    'formats.source': 'A stored original of any format comes back byte by byte, with its name and type.',
    'formats.pictures-elsewhere': 'A picture is no document: where documents are added it is 415 with the list.',
    'formats.refused-with-cause':
      'A protected, damaged or empty file is refused in a sentence that names the cause, and nothing of it is kept.',
    'formats.cut': 'Where reading ends early, what came is kept: the document is partial and says why.',
    'formats.bombs':
      'Files that would unpack or nest without end are refused or read without being unfolded, and the next file is read.',
  }),
  ...requirementsOf(project('Scans'), {
    'scans.mixed': 'In a file of text and scans each page is read as it has to be, in the order of the pages.',
    'scans.off': 'enableOcr false leaves scans out, and the report says so.',
    'scans.limit-range': 'ocrMaxPages of 0, 201 or a text is 400.',
    'scans.blank': 'A blank scan is skipped, and the report says so.',
    'scans.progress': 'The message of a job counts the pages as they are recognised.',
    'scans.retry': 'The retry of a partial job recognises only what is missing.',
    'scans.never-silent': 'A document in which no text was found is never silently ready.',
  }),
  ...requirementsOf(project('Pictures'), {
    'ocr.hints': 'A language that cannot be recognised is no error: a warning names it, another is used.',
    'ocr.upright': 'A picture is read as it is shown: turned as its EXIF says, on white where it is transparent.',
    'ocr.pages': 'All pages of a TIFF are read.',
    'ocr.boxes': 'Each block has its text, its confidence and its box in pixels of the picture.',
    'ocr.no-picture': 'What is no picture is 415 with the list of pictures.',
  }),
  ...requirementsOf(project('URLs'), {
    'url.schemes': 'Only http and https are downloaded, and no URL with credentials.',
    'url.private': 'An address that is not public is refused unless it was opened, in whatever form it is written.',
    'url.redirects': 'Redirects are followed, five at most, each checked again.',
    'url.name-and-type': 'Name and type of a download come from its headers and its content.',
  }),
  ...requirementsOf(contract('Answers: Document'), {
    'documents.source-type.others': 'sourceType is url for a download, which url then names, and ocr for a picture.',
    'documents.page-counts':
      'pageCount counts the pages of a file that has pages, ocrPages those that were recognised.',
  }),
]
