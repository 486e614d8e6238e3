import {
  FileText,
  FlaskConical,
  type IconNode,
  MessageSquare,
  PencilLine,
  RefreshCw,
  Search,
  Settings,
  Table,
} from 'lucide'

/** Tabs of a memory by their path. */
export const MEMORY_TABS = {
  search: { name: 'Search', icon: Search },
  ask: { name: 'Ask', icon: MessageSquare },
  documents: { name: 'Documents', icon: FileText },
  corrections: { name: 'Corrections', icon: PencilLine },
  extract: { name: 'Extract', icon: Table },
  evaluate: { name: 'Evaluate', icon: FlaskConical },
  sources: { name: 'Sources', icon: RefreshCw },
  manage: { name: 'Manage', icon: Settings },
} as const satisfies Readonly<Record<string, { name: string; icon: IconNode }>>

/** Path of a tab. */
export type MemoryTab = keyof typeof MEMORY_TABS
