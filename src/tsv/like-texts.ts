/** Texts that people take for the same and that are not. */
import { LONGEST_NAME, UNSEEN } from './dialect.js';

const MARKS = new RegExp(`[${UNSEEN}]+`, 'gu');

/** A text as it may be written elsewhere, and what tells the two apart; not the text itself, and none of one that is longer than names are. */
export function likeTexts(text: string): [way: string, how: string][] {
  if (text.length > LONGEST_NAME) return [];
  const ways: [string, string][] = [
    [text.normalize('NFC'), 'the form of its accented letters'],
    [text.normalize('NFD'), 'the form of its accented letters'],
    [text.replace(MARKS, ''), 'marks that nobody sees'],
    [text.toLowerCase(), 'capital letters'],
    [text.toUpperCase(), 'capital letters'],
  ];
  return ways.filter(([way]) => way !== text && way !== '');
}

/** Of most names and keys: no letter that has two forms, and no blank but that of the space bar. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** One text for all that people take for the same; a longer one than names are is its own. */
export function alike(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  if (text.length > LONGEST_NAME) return text;
  const seen = text.replace(MARKS, '').replace(/\s+/g, ' ').trim();
  return (seen === '' ? text : seen).toLowerCase().normalize('NFC');
}
