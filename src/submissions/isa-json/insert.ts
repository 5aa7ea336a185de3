/** A comment put into the text of an object of a user's, all else as it was written: numbers and spacing survive. */
import { endOfString } from '../../registry/json-fault.js';
import type { Members } from './declared.js';

/** First among the comments; `members` are what the text says. */
export function withComment(text: string, members: Members, comment: { name: string; value: string }): string {
  const added = JSON.stringify(comment);
  const { comments } = members;
  if (comments === undefined) {
    const rest = text.slice(text.indexOf('{') + 1);
    return `{"comments":[${added}]${/^\s*\}/.test(rest) ? '' : ','}${rest}`;
  }
  const at = listStart(text, 'comments');
  if (!Array.isArray(comments) || at === undefined) return JSON.stringify({ ...members, comments: [comment] });
  return `${text.slice(0, at)}${added}${comments.length > 0 ? ',' : ''}${text.slice(at)}`;
}

/** Position behind the bracket that begins the list of this member, the last of its name, which is the one that counts. */
function listStart(text: string, member: string): number | undefined {
  let depth = 0;
  let found: number | undefined;
  let key: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && key === undefined) key = JSON.parse(text.slice(at, end + 1)) as string;
      at = end;
    } else if (character === '{' || character === '[') {
      if (depth === 1 && character === '[' && key === member) found = at + 1;
      depth++;
    } else if (character === '}' || character === ']') depth--;
    else if (character === ',' && depth === 1) key = undefined;
  }
  return found;
}
