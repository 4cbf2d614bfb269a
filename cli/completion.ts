/**
 * Completion: each shell asks the program itself, which knows its commands and flags, so that a script installed once
 * is never out of date.
 */
import { Argument, type Command } from 'commander';
import type { Io } from './io.ts';

const BASH = `_leaseboard() {
  local IFS=$'\\n'
  COMPREPLY=($(leaseboard complete-words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _leaseboard leaseboard`;

const ZSH = `#compdef leaseboard
_leaseboard() {
  local -a words_found
  words_found=("\${(@f)$(leaseboard complete-words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${words_found[1]}" ]]; then compadd -a words_found; else _files; fi
}
compdef _leaseboard leaseboard`;

const FISH = `function __leaseboard_words
  set -l words (commandline -opc) (commandline -ct)
  set -l found (leaseboard complete-words -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c leaseboard -f -a '(__leaseboard_words)'`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

export function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description('The script by which a shell completes commands and flags')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
Examples:
  source <(leaseboard completion bash)                                          # in ~/.bashrc
  source <(leaseboard completion zsh)                                           # in ~/.zshrc, after compinit
  leaseboard completion fish > ~/.config/fish/completions/leaseboard.fish`,
    )
    .action((shell: string) => io.out(`${SCRIPTS[shell] ?? ''}\n`));
  program
    .command('complete-words', { hidden: true })
    .argument('[words...]', 'of the line so far, the last one unfinished')
    .action((words: string[]) =>
      io.out(
        completions(program, words)
          .map((word) => `${word}\n`)
          .join(''),
      ),
    );
}

/** What may stand in place of the last of the words. */
export function completions(program: Command, words: readonly string[]): string[] {
  const unfinished = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  const command = commandAt(program, before);
  const flag = optionNamed([...command.options, ...program.options], before.at(-1));
  const found = flag === undefined ? wordsOf(program, command, unfinished) : (flag.argChoices ?? []);
  return [...found].filter((word) => word.startsWith(unfinished)).sort();
}

function commandAt(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next !== undefined) command = next;
  }
  return command;
}

/** The option that waits for its value. */
function optionNamed(
  options: Command['options'],
  word: string | undefined,
): Command['options'][number] | undefined {
  return options.find((option) => option.long === word && !option.isBoolean() && !option.negate);
}

function wordsOf(program: Command, command: Command, unfinished: string): readonly string[] {
  if (unfinished.startsWith('-')) {
    const options = new Set([...command.options, ...program.options]);
    return [...options].flatMap(({ long, hidden }) => (hidden || typeof long !== 'string' ? [] : [long]));
  }
  const commands = command.createHelp().visibleCommands(command);
  if (commands.length > 0) return commands.map((one) => one.name());
  return command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
}
