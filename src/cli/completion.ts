import { Argument, type Command } from 'commander';

/** `completion`: what a shell needs to complete commands, subcommands and options, made from the commands themselves. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .summary('prints the completion script of a shell')
    .description(
      'Prints the completion script of a shell. bash: source <(sample-registry completion bash); zsh: save it as _sample-registry in a folder of $fpath; fish: save it as ~/.config/fish/completions/sample-registry.fish.',
    )
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action((shell: keyof typeof SCRIPTS) => {
      process.stdout.write(SCRIPTS[shell](entriesOf(program)));
    });
}

/** One command, by its words after the program's name; the first entry is the program itself. */
interface Entry {
  words: string[];
  offers: { text: string; help: string }[];
  /** It has commands of its own. */
  isGroup: boolean;
}

function entriesOf(command: Command, words: string[] = []): Entry[] {
  const { commands } = command;
  const offers = [
    ...commands.map((one) => ({ text: one.name(), help: one.summary() || one.description() })),
    ...command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long ? [{ text: long, help: description }] : [])),
  ];
  return [
    { words, offers, isGroup: commands.length > 0 },
    ...commands.flatMap((one) => entriesOf(one, [...words, one.name()])),
  ];
}

const SCRIPTS = { bash, zsh, fish };

/** The words typed so far without options decide which offers hold; where nothing is offered, files are. */
const wordsOf = ({ words }: Entry): string => words.join(' ');
const offersOf = ({ offers }: Entry): string => offers.map(({ text }) => text).join(' ');

/** Those whose next word is a command, between colons; the first is the program itself. Of all others it may be a file. */
const groupsOf = (entries: Entry[]): string =>
  entries
    .filter(({ isGroup }) => isGroup)
    .map((entry) => `:${wordsOf(entry)}:`)
    .join(' ');

function bash(entries: Entry[]): string {
  const cases = entries.map((entry) => `    '${wordsOf(entry)}') offers='${offersOf(entry)}' ;;`);
  return `_sample_registry() {
  local path='' word offers='' current="\${COMP_WORDS[COMP_CWORD]}" n
  local known=' ${entries.slice(1).map(wordsOf).join(' : ')} '
  for ((n = 1; n < COMP_CWORD; n++)); do
    word="\${COMP_WORDS[n]}"
    case "$known:" in *" \${path:+$path }$word "*) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  [[ $current == -* || ' ${groupsOf(entries)} ' == *" :$path: "* ]] || offers=''
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -o default -F _sample_registry sample-registry
`;
}

/** zsh runs bash's completion through its own compatibility layer. */
function zsh(entries: Entry[]): string {
  return `#compdef sample-registry\nautoload -U +X bashcompinit && bashcompinit\n${bash(entries)}`;
}

function fish(entries: Entry[]): string {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = entries.flatMap(({ words, offers }) =>
    offers.map(({ text, help }) => {
      const last = words.at(-1);
      const when = last === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${last}`;
      const what = text.startsWith('--') ? `-l ${text.slice(2)}` : `-f -a ${text}`;
      return `complete -c sample-registry -n ${quoted(when)} ${what} -d ${quoted(help)}`;
    }),
  );
  return `${lines.join('\n')}\n`;
}
