/** What the help says of each view: fragments of docs/guide.md, by the beginning of the view's address; the longest one counts. */
const TOPICS: Readonly<Record<string, string>> = {
  '/': 'uploading-a-sheet',
  '/submissions': 'all-uploads',
  '/submissions/': 'the-outcome-of-a-submission',
  '/samples': 'finding-samples',
  '/samples/': 'one-sample',
  '/samples/edit': 'changing-many-samples',
  '/checklists': 'checklists-and-templates',
  '/account': 'your-account',
  '/accounts': 'accounts',
  '/operations': 'operations',
};

export const HELP_TOPICS: readonly string[] = Object.values(TOPICS);

export function helpOf(location: string): string {
  const known = Object.keys(TOPICS).filter((address) => location.startsWith(address));
  const longest = known.reduce((longer, address) => (address.length > longer.length ? address : longer), '/');
  return TOPICS[longest] as string;
}
