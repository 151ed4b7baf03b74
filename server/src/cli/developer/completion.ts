import { Argument, type Command } from 'commander'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** What can follow a command, and what can follow its options. */
type Place = {
  /** The names that lead to it; empty for `sluice` itself. */
  readonly path: readonly string[]
  readonly words: readonly string[]
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] }[]
}

/** `completion`: a script for the shell, made from the commands that there are. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      `
bash:  source <(npx sluice completion bash); sluice() { npx sluice "$@"; }
zsh:   source <(npx sluice completion zsh); sluice() { npx sluice "$@"; }
fish:  npx sluice completion fish | source; alias sluice 'npx sluice'
The second part makes sluice a command where it is not installed.`,
    )
    .action((shell: Shell) => {
      process.stdout.write(`${scripts[shell](placesOf(program))}\n`)
    })
}

function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const help = command.createHelp()
  const below = help.visibleCommands(command).filter((each) => each.name() !== 'help')
  const options = help.visibleOptions(command)
  const place = {
    path,
    words: [
      ...below.map((each) => each.name()),
      ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      ...options.flatMap(({ long }) => long ?? []),
    ],
    values: options.flatMap(({ long, argChoices }) =>
      long && argChoices ? [{ option: long, choices: argChoices }] : [],
    ),
  }
  return [place, ...below.flatMap((each) => placesOf(each, [...path, each.name()]))]
}

const named = ({ path }: Place) => path.map((name) => `/${name}`).join('')

// In all three a path is written /webhook/create. Names and choices are letters, digits, dots and dashes.
function cases(places: readonly Place[], indent: string): string {
  const known = places.filter(({ path }) => path.length > 0).map(named)
  return [
    `for word in "\${before[@]}"; do`,
    `  case "$at/$word" in`,
    `    ${known.join('|')}) at="$at/$word" ;;`,
    '  esac',
    'done',
    'case "$at:$last" in',
    ...places.flatMap((place) =>
      place.values.map(
        ({ option, choices }) => `  ${named(place)}:${option}) words="${choices.join(' ')}" ;;`,
      ),
    ),
    '  *)',
    '    case "$at" in',
    ...places.map((place) => `      "${named(place)}") words="${place.words.join(' ')}" ;;`),
    '    esac ;;',
    'esac',
  ]
    .map((line) => `${indent}${line}`)
    .join('\n')
}

function bash(places: readonly Place[]): string {
  return `# Completion of sluice for bash.
_sluice() {
  local at="" words="" word
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  local last="\${COMP_WORDS[COMP_CWORD-1]}"
${cases(places, '  ')}
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sluice sluice`
}

function zsh(places: readonly Place[]): string {
  return `#compdef sluice
# Completion of sluice for zsh.
_sluice() {
  local at="" words="" word
  local -a before=("\${(@)argv_sluice[2,CURRENT-1]}")
  local last="\${argv_sluice[CURRENT-1]}"
${cases(places, '  ')}
  compadd -- \${=words}
}
_sluice_words() { local -a argv_sluice=("\${words[@]}"); _sluice }
compdef _sluice_words sluice`
}

function fish(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path.length > 0).map(named)
  return `# Completion of sluice for fish.
function __sluice_at
  set -l at ""
  set -l words (commandline -opc)
  for word in $words[2..-1]
    switch "$at/$word"
      case ${known.join(' ')}
        set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c sluice -f
${places
  .flatMap((place) => [
    `complete -c sluice -n '__sluice_at "${named(place)}"' -a "${place.words.filter((word) => !word.startsWith('-')).join(' ')}"`,
    ...place.words
      .filter((word) => word.startsWith('--'))
      .map((word) => {
        const choices = place.values.find(({ option }) => option === word)?.choices
        const values = choices === undefined ? '' : ` -x -a "${choices.join(' ')}"`
        return `complete -c sluice -n '__sluice_at "${named(place)}"' -l ${word.slice(2)}${values}`
      }),
  ])
  .join('\n')}`
}

const scripts: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish }
