/** An organism's name beside its taxonomy id: what is said of the two, and what is proposed instead. */
import { expect, it } from 'vitest';
import { processorMsOf } from '../support/processor-time.js';
import { inWords, saidOf } from './sensed.js';

/** A sheet, header first, and what is said of its lines, with what is proposed. */
const ORGANISMS: readonly (readonly [sheet: readonly string[], said: readonly string[]])[] = [
  [
    ['organism|tax id', 'Homo sapiens|10090'],
    ['2: "10090" in tax id is the taxonomy id of Mus musculus, not of "Homo sapiens" (9606).'],
  ],
  [
    ['organism|tax id', 'Homo sapiens|9607'],
    ['2: "9607" in tax id is not the taxonomy id of "Homo sapiens"; 9606? -> 9606'],
  ],
  [
    ['organism|tax id', 'Homo sapiens|NCBITaxon:9607'],
    ['2: "NCBITaxon:9607" in tax id is not the taxonomy id of "Homo sapiens"; 9606? -> NCBITaxon:9606'],
  ],
  [
    ['organism|tax id', 'Homo sapiens|9607.0'],
    ['2: "9607.0" in tax id is not the taxonomy id of "Homo sapiens"; 9606? -> 9606'],
  ],
  [
    ['organism|tax id', 'Homo sapiens|txid9607'],
    ['2: "txid9607" in tax id is not the taxonomy id of "Homo sapiens"; 9606? -> txid9606'],
  ],
  [
    ['organism|tax id', 'Homo sapiens|ncbi:txid9607'],
    ['2: "ncbi:txid9607" in tax id is not the taxonomy id of "Homo sapiens"; 9606? -> ncbi:txid9606'],
  ],
  [
    ['organism|tax id', 'Homo sapiens|taxon:9607'],
    ['2: "taxon:9607" in tax id is not the taxonomy id of "Homo sapiens"; 9606? -> taxon:9606'],
  ],
  [
    ['organism|tax id', 'Homo_ sapiens (Yoruba)|9607'],
    ['2: "9607" in tax id is not the taxonomy id of "Homo_ sapiens (Yoruba)"; 9606? -> 9606'],
  ],
  [
    ['organism|tax id', 'human|10090'],
    ['2: "10090" in tax id is the taxonomy id of Mus musculus, not of "human" (9606).'],
  ],
  [['organism|tax id', 'Homo sapiens|x9607'], []],
  [['organism|tax id', 'Homo sapiens|9606.01'], []],
  [
    ['organism|tax id', 'Felis silvestris|9606'],
    ['2: "Felis silvestris" in organism is no name of the organism of its taxonomy id: 9606 is Homo sapiens.'],
  ],
  [['organism|tax id', 'Felis sp.|9606'], []],
  [['organism|tax id', 'not collected|9607'], []],
  [
    ['organism|tax id', 'Escherichia coli|1280'],
    ['2: "1280" in tax id is the taxonomy id of Staphylococcus aureus, not of "Escherichia coli" (562).'],
  ],
  [
    ['organism|tax id', 'Escherichia coli K-12 MG1655|1280'],
    ['2: "1280" in tax id is the taxonomy id of Staphylococcus aureus, not of "Escherichia coli K-12 MG1655" (562).'],
  ],
  [['organism|tax id', 'Escherichia coli K-12|12345'], []],
  [['organism|tax id', 'Escherichia|562'], []],
  [['organism|tax id', 'Homo sapiens neanderthalensis|63221'], []],
  [['organism|tax id', 'Homo sapiens ssp|9607'], []],
  [['organism|tax id', 'Canis lupus|9615'], []],
  [['organism|tax id', 'Arcanobacter difficilis|1496'], []],
  [['organism|tax id', 'Brachydanio rerio x|7955'], []],
  [
    ['organism|tax id', 'Parus major|9157', 'Parus major|9157', 'Parus major|9157', 'Parus major|9158'],
    ['5: "9158" in tax id is the taxonomy id of "Parus major" here, which has 9157 in other rows; 9157? -> 9157'],
  ],
  [
    ['organism|tax id', 'Parus major|9157', 'Parus major|9157', 'Parus major|9158'],
    ['4: "9158" in tax id is the taxonomy id of "Parus major" here, which has 9157 in other rows.'],
  ],
  [
    [
      'organism|tax id',
      'Parus major|9157',
      'Parus major|9157',
      'Parus major|9157',
      'Parus major|9157',
      'Parus major|9157',
      'Parus major|9157',
      'Parus  MAJOR|txid9158',
      'Parus  MAJOR|txid9158',
    ],
    [
      '8: "txid9158" in tax id is the taxonomy id of "Parus  MAJOR" here, which has 9157 in other rows; 9157? -> txid9157',
      '9: "txid9158" in tax id is the taxonomy id of "Parus  MAJOR" here, which has 9157 in other rows; 9157? -> txid9157',
    ],
  ],
  [
    [
      'organism|tax id',
      'Parus major|9157',
      'Parus major|9157',
      'Parus major|9157',
      'Parus major|9157',
      'Parus major|9157',
      'Parus major|9158',
      'Parus major|9158',
    ],
    [
      '7: "9158" in tax id is the taxonomy id of "Parus major" here, which has 9157 in other rows.',
      '8: "9158" in tax id is the taxonomy id of "Parus major" here, which has 9157 in other rows.',
    ],
  ],
  [
    ['organism|tax id', 'Parus major|9157', 'Parus major|9158'],
    ['3: "9158" in tax id is the taxonomy id of "Parus major" here, which has 9157 in other rows.'],
  ],
  [
    ['organism|tax id', 'Parus major|9157', 'Parus major|9158', 'Parus major|9158'],
    ['2: "9157" in tax id is the taxonomy id of "Parus major" here, which has 9158 in other rows.'],
  ],
  [
    [
      'organism|tax id',
      'Gadus morhua|8049',
      'Gadus morhua|8049',
      'Gadus morhua|8049',
      'Gadus morhua|8049',
      'Melanogrammus aeglefinus|8049',
    ],
    [
      '6: "Melanogrammus aeglefinus" in organism has the taxonomy id 8049, which is that of "Gadus morhua" in other rows.',
    ],
  ],
  [
    ['organism|tax id', 'Gadus morhua|8049', 'Melanogrammus aeglefinus|8049'],
    [
      '3: "Melanogrammus aeglefinus" in organism has the taxonomy id 8049, which is that of "Gadus morhua" in other rows.',
    ],
  ],
  [
    ['organism|tax id', 'Aus bellus|5', 'Bus bella|5', 'aus|5', 'Aus|5', 'Cus belonii|5'],
    ['6: "Cus belonii" in organism has the taxonomy id 5, which is that of "Aus bellus" in other rows.'],
  ],
  [
    ['organism|tax id', 'cod fish|8049', 'cod fish|8049', 'Gadus morhua|8049', 'Gadus morhua callarias|8049'],
    [
      '4: "Gadus morhua" in organism has the taxonomy id 8049, which is that of "cod fish" in other rows.',
      '5: "Gadus morhua callarias" in organism has the taxonomy id 8049, which is that of "cod fish" in other rows.',
    ],
  ],
  [
    ['organism|tax id', 'Felis silvestris|9606', 'Felis silvestris|9685', 'Felis silvestris|9685'],
    ['2: "Felis silvestris" in organism is no name of the organism of its taxonomy id: 9606 is Homo sapiens.'],
  ],
  [
    ['host|host taxid|tax id', 'Homo sapiens|9607|9607'],
    ['2: "9607" in host taxid is not the taxonomy id of "Homo sapiens"; 9606? -> 9606'],
  ],
  [['organism|host taxid', 'Homo sapiens|9607'], []],
  [
    ['Organism_Name|taxId', 'Homo sapiens|9607'],
    ['2: "9607" in taxId is not the taxonomy id of "Homo sapiens"; 9606? -> 9606'],
  ],
  [
    ['Characteristics[organism]|Term Source REF|Term Accession Number', 'Homo sapiens|NCBITAXON|9607'],
    ['2: "9607" in Term Accession Number is not the taxonomy id of "Homo sapiens"; 9606? -> 9606'],
  ],
  [['organism|tax id', 'human blood metagenome|646099'], []],
  [['organism|tax id', 'dog gut metagenome|749906'], []],
  [
    ['organism|tax id', 'human gut metagenome|9606'],
    ['2: "9606" in tax id is the taxonomy id of Homo sapiens, not of "human gut metagenome" (408170).'],
  ],
];

it.each(ORGANISMS)('%j', async (sheet, said) => {
  expect(inWords(await saidOf(sheet))).toEqual(said);
});

it('names by the thousand that have one number for an id are each compared with some of the others', async () => {
  const letters = (at: number): string => String(at).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] as string);
  const rows = Array.from({ length: 2_000 }, (_, at) => `Genus ${letters(1_000_000 + at)}|99999999`);
  let said = 0;
  const taken = await processorMsOf(async () => {
    said = (await saidOf(['organism|tax id', ...rows])).length;
  });
  expect(said).toBeGreaterThan(0);
  expect(taken, 'ms of the processor').toBeLessThan(1_500);
});
