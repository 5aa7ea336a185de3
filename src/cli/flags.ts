/** The options of an upload as flags: the service names them as its interface does, whoever types a command reads the flag. */
import { type Command, Option } from 'commander';
import { OPTION_NAMES, type OptionName, optionOf, type UploadOptions } from '../client/documents.js';

/** `alone`: with those that make sense for a single upload only. */
export function addUploadOptions(command: Command, alone: boolean): Command {
  for (const name of OPTION_NAMES) {
    const option = optionOf(name);
    if (option.flag.alone && !alone) continue;
    const flag = new Option(option.flag.spelling, option.flag.help);
    command.addOption(option.kind === 'choice' && !option.flag.sets ? flag.choices(option.values) : flag);
  }
  return command;
}

/** What was given of them. */
export function uploadOptionsOf(given: Record<string, unknown>): UploadOptions {
  const options: Record<string, unknown> = {};
  for (const name of OPTION_NAMES) {
    const { flag } = optionOf(name);
    const value = given[new Option(flag.spelling).attributeName()];
    if (value !== undefined) options[name] = flag.sets ?? value;
  }
  return options;
}

/** What the service says of a token to whoever writes requests (src/auth/caller.ts, authenticate.ts). */
const TOKEN_ADVICE = /send the header "Authorization: Bearer TOKEN"\.$|ask for a new one\.$/;
const SIGN_IN = 'sign in with `sample-registry login`, or set SAMPLE_REGISTRY_TOKEN.';

const OPTION = new RegExp(`\\b(${OPTION_NAMES.join('|')})\\b(?:=([\\w-]+))?`, 'g');

/** `duplicate=allow` → `--allow-duplicate`, `unknownColumns=reject` → `--unknown-columns reject`; a header of requests → how to sign in. */
export const asFlags = (message: string): string =>
  message.replace(TOKEN_ADVICE, SIGN_IN).replace(OPTION, (found: string, name: OptionName, value?: string) => {
    const { flag, kind } = optionOf(name);
    const word = flag.spelling.split(' ')[0] as string;
    if (flag.sets !== undefined) return value === flag.sets ? word : found;
    // A name without capitals is a word of its own when no value follows.
    if (value === undefined) return /[A-Z]/.test(name) ? word : found;
    return kind === 'switch' && value === 'true' ? word : `${word} ${value}`;
  });
