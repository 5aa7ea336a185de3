/** `attr:sex:female` → `sex is female`. */
export function filterWords(filter: string): string {
  const [kind, ...rest] = filter.split(':');
  const text = rest.join(':');
  if (kind === 'attr') {
    const at = text.indexOf(':');
    return at < 0 ? `has ${text}` : `${text.slice(0, at)} is ${text.slice(at + 1)}`;
  }
  if (kind === 'name') return `name is ${text}`;
  if (kind === 'status') return text === 'withdrawn' ? 'withdrawn only' : 'withdrawn too';
  if (kind === 'account') return `account is ${text}`;
  if (kind === 'rel') return `related: ${text.replace(':', ' ')}`;
  if (kind === 'descendantOf') return `came of ${text}`;
  if (kind === 'ancestorOf') return `ancestors of ${text}`;
  const dates = /^(release|update):(?:from=(.*?))?(?:until=(.*))?$/.exec(text);
  if (kind === 'dt' && dates) {
    const [, which, from, until] = dates;
    const parts = [from ? `from ${from}` : '', until ? `until ${until}` : ''].filter(Boolean).join(' ');
    return `${which === 'release' ? 'released' : 'changed'} ${parts}`;
  }
  return filter;
}
