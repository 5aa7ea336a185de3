/** Names of months, whole and shortened, in English, German, French, Spanish, Italian, Portuguese and Dutch. */

const NAMES = [
  'jan january januar jänner janvier janv enero ene gennaio gen janeiro januari',
  'feb february februar feber février févr fév febrero febbraio fevereiro fev februari',
  'mar march märz maerz mär mrz mars marzo março maart mrt',
  'apr april avril avr abril abr aprile',
  'may mai mayo maggio mag maio mei',
  'jun june juni juin junio giugno giu junho',
  'jul july juli juillet juil julio luglio lug julho',
  'aug august août aout agosto ago augustus',
  'sep sept september septembre septiembre settembre set setembro',
  'oct october oktober okt octobre octubre ottobre ott outubro out',
  'nov november novembre noviembre novembro',
  'dec december dezember dez décembre déc diciembre dic dicembre dezembro',
].map((names) => names.split(' '));

/** 1 to 12, or 0 for a word that is no month: none of them is one of two. */
export function monthOf(word: string): number {
  const name = word.normalize('NFC').toLowerCase();
  return NAMES.findIndex((names) => names.includes(name)) + 1;
}
