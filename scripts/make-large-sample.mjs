/** Writes samples-tsv/large.tsv: 2 000 rows, always the same bytes. `node scripts/make-large-sample.mjs` */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup.mjs';

const ROWS = 2000;
const HEADER = [
  'Source Name',
  'Sample Name',
  'Release Date',
  'Characteristics[organism]',
  'Term Source REF',
  'Term Accession Number',
  'Characteristics[tissue]',
  'Characteristics[collection date]',
  'Characteristics[body weight]',
  'Unit',
  'Comment[bsd_relationship:derived from]',
];
const ORGANISMS = [
  ['Mus musculus', '10090'],
  ['Rattus norvegicus', '10116'],
  ['Danio rerio', '7955'],
];
const TISSUES = ['liver', 'spleen', 'left kidney', 'heart', 'whole blood'];
const SAMPLES_PER_ANIMAL = 5;

/** The animal itself comes first; the samples taken from it refer to it by name. */
function row(number) {
  const animal = Math.floor(number / SAMPLES_PER_ANIMAL);
  const part = number % SAMPLES_PER_ANIMAL;
  const [organism, taxon] = ORGANISMS[animal % ORGANISMS.length];
  const source = `animal-${String(animal + 1).padStart(4, '0')}`;
  const day = String((animal % 28) + 1).padStart(2, '0');
  const grams = (18 + ((animal * 37) % 140) / 10).toFixed(1);
  return [
    source,
    part === 0 ? source : `${source}-${TISSUES[part].replace(' ', '-')}`,
    '2024-03-01',
    organism,
    'NCBITaxon',
    taxon,
    part === 0 ? 'whole organism' : TISSUES[part],
    `2023-${String((animal % 12) + 1).padStart(2, '0')}-${day}`,
    part === 0 ? grams : '',
    part === 0 ? 'gram' : '',
    part === 0 ? '' : source,
  ];
}

const lines = [HEADER, ...Array.from({ length: ROWS }, (_, number) => row(number))].map((cells) => cells.join('\t'));
writeFileSync(join(ROOT, 'samples-tsv', 'large.tsv'), `${lines.join('\n')}\n`);
