/** Sheets that their names say to be about others: instructions, examples, lists of what may be chosen. */
const FIRST =
  'read ?me|instructions?|how to|guidance|guidelines?|examples?|anleitung|hinweise|beispiele?|lisez ?moi|exemples?|instrucciones|ejemplos?|istruzioni|esempi?o?';
const WHOLE =
  'about|cover|introduction|help|guide|legend|notes|info(?:rmation)?|(?:data )?dictionary|definitions?|glossary|lists|drop ?downs?|pick ?lists?|look ?ups?|(?:controlled )?vocabular(?:y|ies)|validation|allowed values|change ?log|versions?|hilfe|listen|legende|aide|notice|ayuda';
const GUIDE = new RegExp(`^(?:(?:${FIRST})(?![\\p{L}\\p{N}])|(?:${WHOLE})$)`, 'iu');

/** Whether a sheet of this name yields to others that name samples. A number in front of it does not count. */
export const isGuide = (name: string): boolean =>
  GUIDE.test(
    name
      .slice(0, 100)
      .replace(/[-_\s]+/g, ' ')
      .replace(/^[\d .):#]+/, '')
      .trim(),
  );
