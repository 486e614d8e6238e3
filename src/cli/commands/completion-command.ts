import type { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { listMemories, openClient } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { oneLine } from '../printing.ts'

/**
 * Completions. Keys are command paths ("", "memories", "memories list") with subcommands and
 * options, and options with fixed values ("find --mode") with these values.
 */
type Completions = ReadonlyMap<string, readonly string[]>

const SCRIPTS: Readonly<Record<string, (words: Completions) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Value of the options that name a memory. */
const MEMORY_VALUE = '--memory <memory>'

/** Hidden command that the scripts call for the names of memories. */
const NAMES_COMMAND = 'complete-memories'
/** A shell that waits longer for its completion seems to hang. */
const NAMES_TIMEOUT_MS = 2000

/** `recollect completion` completes all commands added before it. */
export function addCompletionCommand(program: Command, context: CliContext): void {
  program.command(NAMES_COMMAND, { hidden: true }).action(() => printNames(context))
  program
    .command('completion <shell>')
    .description('print shell completion for bash, zsh or fish')
    .action((shell: string) => {
      const print = SCRIPTS[shell]
      if (print === undefined) throw new UsageError(`Unsupported shell "${shell}" (bash, zsh, fish).`)
      context.writeOut(print(listWords(program)))
    })
}

/** A name on each line; nothing without the service, since a completion has no messages. */
async function printNames(context: CliContext): Promise<void> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(NAMES_TIMEOUT_MS)])
  try {
    const client = openClient(context, (input, init) => context.fetch(input, { ...init, signal }))
    const memories = await listMemories(client)
    context.writeOut(memories.map(({ name }) => `${oneLine(name)}\n`).join(''))
  } catch {
    return
  }
}

function listWords(command: Command, path: readonly string[] = []): Completions {
  const names = command.commands.map((each) => each.name()).filter((name) => name !== NAMES_COMMAND)
  const options = command.options.flatMap(({ short, long }) => [short, long].filter((name) => name !== undefined))
  const own: [string, string[]] = [path.join(' '), [...names, ...options, '--help']]
  const values = command.options.flatMap(({ short, long, flags, argChoices = [] }) => {
    const isKnown = argChoices.length > 0 || flags.endsWith(MEMORY_VALUE)
    const given = isKnown ? [short, long].filter((name) => name !== undefined) : []
    return given.map((name): [string, string[]] => [[...path, name].join(' '), argChoices])
  })
  const below = command.commands.flatMap((each) => [...listWords(each, [...path, each.name()])])
  return new Map([own, ...values, ...below])
}

/**
 * A shell function that maps the typed words to the path of a command, or of an option whose value
 * is next. Other words are arguments, and an option ends after its value. No variable may be named
 * `path`: zsh uses it for the command search path.
 */
function pathFunction(words: Completions): string {
  const paths = [...words.keys()].filter((path) => path !== '').map((path) => `"${path}"`)
  return `_recollect_path() {
  local route="" word
  for word in "$@"; do
    route="\${route%% -*}"
    case "\${route:+$route }$word" in
      ${paths.join('|')}) route="\${route:+$route }$word" ;;
    esac
  done
  printf '%s' "$route"
}

_recollect_words() {
  case "$1" in
${[...words].map(([path, each]) => `    "${path}") printf '%s' "${each.join(' ')}" ;;`).join('\n')}
  esac
}
`
}

function bashScript(words: Completions): string {
  return `# Completion of recollect in bash: source <(recollect completion bash)
${pathFunction(words)}
_recollect() {
  local typed="\${COMP_WORDS[COMP_CWORD]}"
  local route="$(_recollect_path "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  case "$route" in *" -m"|*" --memory") _recollect_memories "$typed"; return ;; esac
  COMPREPLY=($(compgen -W "$(_recollect_words "$route")" -- "$typed"))
}
_recollect_memories() {
  local name begun="$1" quote=""
  case "$begun" in \\"*|\\'*) quote="\${begun:0:1}"; begun="\${begun:1}" ;; esac
  begun="\${begun//\\\\/}"
  COMPREPLY=()
  while IFS= read -r name; do
    [[ "$name" == "$begun"* ]] || continue
    [[ -n "$quote" ]] && COMPREPLY+=("$name") || COMPREPLY+=("$(printf '%q' "$name")")
  done < <("\${COMP_WORDS[0]}" ${NAMES_COMMAND} 2>/dev/null)
}
complete -o bashdefault -o default -F _recollect recollect
`
}

function zshScript(words: Completions): string {
  return `#compdef recollect
# Completion of recollect in zsh: source <(recollect completion zsh)
${pathFunction(words)}
_recollect() {
  local route="$(_recollect_path "\${(@)words[2,CURRENT-1]}")"
  case "$route" in
    *" -m"|*" --memory")
      local names="$(\${words[1]} ${NAMES_COMMAND} 2>/dev/null)"
      [[ -n "$names" ]] && compadd -- "\${(@f)names}"
      return ;;
  esac
  compadd -- \${=$(_recollect_words "$route")}
  _files
}
compdef _recollect recollect
`
}

function fishScript(words: Completions): string {
  const lines = [...words].map(([path, each]) => {
    const condition = `complete -c recollect -n 'test "$(_recollect_path)" = "${path}"'`
    if (/ (-m|--memory)$/.test(path) && each.length === 0)
      return `${condition} -f -a '(recollect ${NAMES_COMMAND} 2>/dev/null)'`
    return `${condition} -a '${each.join(' ')}'`
  })
  const paths = [...words.keys()].filter((path) => path !== '').map((path) => `'${path}'`)
  return `# Completion of recollect in fish: recollect completion fish | source
function _recollect_path
    set -l path ''
    for word in (commandline -opc)[2..-1]
        set path (string replace -r -- ' -.*' '' "$path")
        set -l longer (string trim -- "$path $word")
        contains -- "$longer" ${paths.join(' ')}; and set path $longer
    end
    echo $path
end
${lines.join('\n')}
`
}
