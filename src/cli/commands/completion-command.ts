import type { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { UsageError } from '../failures.ts'

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

/** `recollect completion` completes all commands added before it. */
export function addCompletionCommand(program: Command, { writeOut }: CliContext): void {
  program
    .command('completion <shell>')
    .description('print shell completion for bash, zsh or fish')
    .action((shell: string) => {
      const print = SCRIPTS[shell]
      if (print === undefined) throw new UsageError(`Unsupported shell "${shell}" (bash, zsh, fish).`)
      writeOut(print(listWords(program)))
    })
}

function listWords(command: Command, path: readonly string[] = []): Completions {
  const names = command.commands.map((each) => each.name())
  const options = command.options.flatMap(({ short, long }) => [short, long].filter((name) => name !== undefined))
  const own: [string, string[]] = [path.join(' '), [...names, ...options, '--help']]
  const values = command.options.flatMap(({ short, long, argChoices = [] }) => {
    const given = argChoices.length === 0 ? [] : [short, long].filter((name) => name !== undefined)
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
  COMPREPLY=($(compgen -W "$(_recollect_words "$route")" -- "$typed"))
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
  compadd -- \${=$(_recollect_words "$route")}
  _files
}
compdef _recollect recollect
`
}

function fishScript(words: Completions): string {
  const lines = [...words].map(([path, each]) => {
    return `complete -c recollect -n 'test "$(_recollect_path)" = "${path}"' -a '${each.join(' ')}'`
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
