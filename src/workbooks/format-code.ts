/** The format code of a number, such as `0.0" mg";[Red]-0.0" mg"`: its sections, and what each shows beside the number (ECMA-376 18.8.31). */
import { type Beside, besideOf, saysWords } from './shown-number.js';

/** Which numbers a section is for, what it shows of them; without either, the number alone. */
export interface Section {
  isFor(value: number): boolean;
  beside?: Beside;
  words?: string;
}

/** Text in quotes, an escaped character, room for one or filled with one, a currency, what else stands in brackets, digits, a power of ten, `General`, the text of the cell, all else. */
const PART = /"([^"]*)"?|\\(.)|([_*].)|\[\$([^\]-]*)[^\]]*\]|(\[[^\]]*\])|([0#?.,]+)|(E[+-])|(General|@)|(.)/gisu;

/** All that a code shows beside numbers; undefined where that is nothing. */
export function sectionsOf(code: string): readonly Section[] | undefined {
  const codes = splitSections(code).slice(0, 3);
  const sections = codes.map((section, at) => readSection(section, at, codes.length));
  return sections.some(({ beside, words }) => beside !== undefined || words !== undefined) ? sections : undefined;
}

/** At semicolons that are no text. */
export function splitSections(code: string): string[] {
  const sections = [''];
  for (const [part] of code.matchAll(/"[^"]*"?|\\.|[_*].|\[[^\]]*\]|./gsu)) {
    if (part === ';') sections.push('');
    else sections[sections.length - 1] += part;
  }
  return sections;
}

function readSection(code: string, at: number, of: number): Section {
  const condition = CONDITION.exec(code);
  const isSigned = at > 0 && !condition;
  const isFor = condition ? conditionOf(condition) : (value: number): boolean => isInPlace(value, at, of);
  const read = partsOf(code);
  if (read === undefined) return { isFor };
  const { before, number, after, percents } = read;
  if (number === '') return saysWords(before) ? { isFor, words: before.trim() } : { isFor };
  const power = 2 * percents - 3 * (/,+(?=\.|$)/.exec(number)?.[0].length ?? 0);
  const beside = besideOf(before, after, power, isSigned);
  return beside.before + beside.after === '' && power === 0 ? { isFor } : { isFor, beside };
}

const CONDITION = /\[(<=|>=|<>|<|>|=)\s*(-?[\d.]+)\]/;

function conditionOf([, sign, limit]: RegExpExecArray): (value: number) => boolean {
  const than = Number(limit);
  const holds: Record<string, (value: number) => boolean> = {
    '<=': (value) => value <= than,
    '>=': (value) => value >= than,
    '<>': (value) => value !== than,
    '<': (value) => value < than,
    '>': (value) => value > than,
  };
  return holds[sign ?? ''] ?? ((value) => value === than);
}

/** Of one section, all; of two, the second for those below zero; of three, the third for zero. The last one is for all that is left. */
function isInPlace(value: number, at: number, of: number): boolean {
  if (at === of - 1) return true;
  if (at === 1) return value < 0;
  return of === 2 ? value >= 0 : value > 0;
}

interface Parts {
  before: string;
  /** Signs that stand for digits. */
  number: string;
  after: string;
  /** Percent signs that are no text: each shows a hundredfold. */
  percents: number;
}

/** Undefined where letters stand that mean something else, such as those of a date, or text between the digits. */
function partsOf(code: string): Parts | undefined {
  const parts: Parts = { before: '', number: '', after: '', percents: 0 };
  let behind = '';
  for (const part of code.matchAll(PART)) {
    const [, , , , , brackets, digits, power, whole, other] = part;
    const number = digits ?? power ?? whole ?? (isFraction(other, parts) ? other : undefined);
    if (number !== undefined) {
      if (behind.trim() !== '') return undefined;
      behind = '';
      parts.number += number;
    } else if (/[a-z]/i.test(other ?? '')) return undefined;
    else if (brackets === undefined) {
      if (parts.number === '') parts.before += literalOf(part);
      else behind += literalOf(part);
    }
  }
  return { ...parts, after: behind, percents: percentsOf(code) };
}

const percentsOf = (code: string): number => [...code.matchAll(PART)].filter((part) => part.at(-1) === '%').length;

const literalOf = ([, quoted, escaped, room, currency, , , , , other]: RegExpExecArray): string =>
  quoted ?? escaped ?? currency ?? (room === undefined ? other : ' ') ?? '';

const isFraction = (other: string | undefined, { number }: Parts): boolean =>
  other !== undefined && number !== '' && (other === '/' || (number.includes('/') && /\d/.test(other)));
