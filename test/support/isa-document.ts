/** ISA-JSON documents as brokers of ISA send them: categories and units by reference, sources, samples, assays that say nothing of samples. */

export interface IsaValue {
  name: string;
  text: string;
  term?: string;
  unit?: string;
}

export interface IsaMaterial {
  name: string;
  values?: readonly IsaValue[];
  /** Names of sources. */
  from?: readonly string[];
  comments?: readonly { name: string; value: string }[];
}

export interface IsaContent {
  sources?: readonly IsaMaterial[];
  samples: readonly IsaMaterial[];
  title?: string;
  publicReleaseDate?: string;
  /** The investigation is a member of the document, as MARS has it. */
  wrapped?: boolean;
}

const annotation = (annotationValue: string, termAccession = '') => ({
  annotationValue,
  termAccession,
  termSource: '',
});

export function isaDocument({ sources = [], samples, title = 'A study', wrapped = true, ...dates }: IsaContent) {
  const all = [...sources, ...samples];
  const names = [...new Set(all.flatMap(({ values = [] }) => values.map(({ name }) => name)))];
  const units = [...new Set(all.flatMap(({ values = [] }) => values.flatMap(({ unit }) => unit ?? [])))];
  const material = (kind: string, { name, values = [], from, comments = [] }: IsaMaterial) => ({
    name,
    characteristics: values.map(({ name: category, text, term, unit }) => ({
      category: { '@id': `#characteristic_category/${names.indexOf(category)}` },
      value: annotation(text, term),
      ...(unit === undefined ? {} : { unit: { '@id': `#unit/${units.indexOf(unit)}` } }),
    })),
    '@id': `#${kind}/${name.replaceAll(' ', '_')}`,
    ...(from ? { derivesFrom: from.map((one) => ({ '@id': `#source/${one.replaceAll(' ', '_')}` })) } : {}),
    ...(comments.length > 0 ? { comments } : {}),
  });
  const investigation = {
    identifier: 'i1',
    title: 'An investigation',
    studies: [
      {
        // Declared behind the samples that refer to it.
        title,
        identifier: '',
        publicReleaseDate: dates.publicReleaseDate ?? '2020-01-01',
        materials: {
          sources: sources.map((one) => material('source', one)),
          samples: samples.map((one) => material('sample', one)),
          otherMaterials: [],
        },
        assays: [{ materials: { samples: [{ '@id': '#sample/x' }] }, dataFiles: [{ name: 'a "]} {[ \\', size: 1.5 }] }],
        characteristicCategories: names.map((name, at) => ({
          '@id': `#characteristic_category/${at}`,
          characteristicType: annotation(name),
        })),
        unitCategories: units.map((unit, at) => ({
          '@id': `#unit/${at}`,
          ...annotation(unit, `http://u.org/UO_${at}`),
        })),
      },
    ],
  };
  return wrapped ? { investigation } : investigation;
}
