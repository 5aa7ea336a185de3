/** Messages of the service name its options as its interface does; whoever types a command is reported the flag. */
const FLAGS: Record<string, string> = {
  dryRun: '--dry-run',
  releaseDate: '--release-date',
  releaseExisting: '--release-existing',
  unknownColumns: '--unknown-columns',
  mode: '--mode',
  update: '--update',
  checklist: '--checklist',
  encoding: '--encoding',
  sheet: '--sheet',
};

/** Words that mean something else when no value follows. */
const ONLY_WITH_VALUE = ['mode', 'update', 'checklist', 'encoding', 'sheet'];
const OPTION = new RegExp(`\\b(duplicate|${Object.keys(FLAGS).join('|')})\\b(?:=([\\w-]+))?`, 'g');

/** `duplicate=allow` → `--allow-duplicate`, `unknownColumns=reject` → `--unknown-columns reject`. */
export const asFlags = (message: string): string =>
  message.replace(OPTION, (found: string, option: string, value?: string) => {
    if (option === 'duplicate') return value === 'allow' ? '--allow-duplicate' : found;
    if (value === undefined) return ONLY_WITH_VALUE.includes(option) ? found : (FLAGS[option] as string);
    return value === 'true' ? (FLAGS[option] as string) : `${FLAGS[option]} ${value}`;
  });
