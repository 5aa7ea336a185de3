/** Which columns of a foreign sheet name its samples together, where none does alone. */
import { describe, expect, it } from 'vitest';
import { proposeRows } from './propose-text.js';

/** Headers of the columns that name the samples, with how sure that is. */
const named = (...rows: string[]): string[] =>
  proposeRows(rows).columns.flatMap(({ header, meaning, confidence }) =>
    meaning?.as === 'name' ? [`${header}, ${confidence}`] : [],
  );
const why = (...rows: string[]): string | undefined =>
  proposeRows(rows).columns.find(({ meaning }) => meaning?.as === 'name')?.why;

describe('columns of which none names a row', () => {
  it.each([
    ['a donor and a visit', 'Donor|Visit', ['D1|1', 'D1|2', 'D2|1']],
    ['a plate and a well', 'plate|organ|well', ['P1|x|A1', 'P1|x|A2', 'P2|x|A1']],
    ['a sample and its replicate', 'sample|replicate', ['a|1', 'a|2', 'b|1']],
    ['a site and a date', 'Site|Salinity|Date', ['N|33|2020-05-01', 'S|33|2020-05-01', 'N|33|2020-06-01']],
    ['an event and a species', 'eventID|scientificName', ['E1|Gadus morhua', 'E1|Clupea harengus', 'E2|Gadus morhua']],
    ['a plot and a depth with its unit', 'Parzelle|pH|Tiefe von (cm)', ['1|7,0|0', '1|6,8|30', '2|7,0|0']],
    ['a mouse and a day', 'Mouse|Weight (g)|Day', ['1|20|0', '1|21|7', '2|20|0']],
    [
      'headers as databases write them',
      'stationid|depth2|sampledate',
      ['B1|2|2008/07/15', 'B1|2|2008/07/16', 'B2|2|2008/07/15'],
    ],
    [
      'a record and an event of REDCap',
      'record_id|redcap_event_name',
      ['1|base_arm_1', '1|visit_arm_1', '2|base_arm_1'],
    ],
    ['a cell line and a passage', 'Cell line|Passage', ['HeLa|P12', 'HeLa|P15', 'Vero|P12']],
    ['plots that are numbered', 'Plot no.|Horizon', ['1|A', '1|B', '2|A']],
    ['a part rather than a time', 'Patient|Tissue|Visit', ['7|blood|1', '7|liver|2', '8|liver|3', '8|blood|1']],
  ])('name it together: %s', (_, header, rows) => {
    const [first, second] = [header.split('|')[0] as string, header.split('|').at(-1) as string];
    expect(named(header, ...rows)).toEqual([`${first}, low`, `${second}, low`]);
    expect(why(header, ...rows)).toBe(`Neither ${first} nor ${second} is different in each row; both together are.`);
    expect(proposeRows([header, ...rows]).document.joinNames).toBe('-');
  });

  it('are kept as what they would be alone, and the organism is not lacking', () => {
    const header = 'event id|Scientific name|Date of sampling';
    const { document, lacks } = proposeRows([header, 'E1|Gadus morhua|x', 'E1|Clupea harengus|x', 'E2|Gadus morhua|x']);
    expect(document.columns.slice(0, 2)).toEqual([
      { header: 'event id', as: 'name' },
      { header: 'Scientific name', as: 'name', characteristic: 'organism' },
    ]);
    expect(lacks).toEqual(['release']);
  });

  it.each([
    ['Spender-ID|Lagerort|Visite', ['S1|A1|V1', 'S1|A2|V2', 'S2|A3|V1'], ['Spender-ID, low', 'Visite, low']],
    ['strain|fastq|rep', ['N2|a.fq|1', 'N2|b.fq|2', 'CB1|c.fq|1'], ['strain, low', 'rep, low']],
    ['Donor|Tube|Visit', ['D1|t1|1', 'D1|t2|2', 'D2|t3|1'], ['Tube, low']],
    ['Cell line|Frozen|Passage', ['HeLa|x|P12', 'Vero|x|P8', 'HeLa|x|P15'], ['Cell line, low', 'Passage, low']],
    ['Donor|Label|Visit', ['D1|t1|1', 'D1|t2|2', 'D2|t3|1'], ['Label, middle']],
  ])(
    'come before one that is different by chance, and behind one that is meant to be: %s',
    (header, rows, expected) => {
      expect(named(header, ...rows)).toEqual(expected);
    },
  );

  it('are three where no two do', () => {
    const rows = ['N|2020-05-01|0', 'N|2020-05-01|5', 'N|2020-06-01|0', 'S|2020-05-01|0'];
    const header = 'Station|Date|Depth';
    expect(named(header, ...rows)).toEqual(['Station, low', 'Date, low', 'Depth, low']);
    expect(why(header, ...rows)).toBe('None of Station, Date and Depth is different in each row; together they are.');
  });

  it('are three of a record whose instrument is repeated', () => {
    const rows = ['1|base|1', '1|base|2', '2|base|1', '2|later|1'];
    const header = 'record_id|redcap_event_name|redcap_repeat_instance';
    expect(named(header, ...rows)).toEqual(header.split('|').map((each) => `${each}, low`));
  });

  it.each([
    ['two rows agree in both', 'Donor|Visit', ['D1|1', 'D1|1', 'D2|2']],
    ['one is the same in all rows', 'Donor|Visit', ['D1|1', 'D1|2', 'D1|3']],
    ['the sample is the same in all rows', 'sample|replicate', ['a|1', 'a|2', 'a|3'], ['sample, low']],
    ['the first has a meaning of its own', 'Characteristics[donor]|Visit', ['D1|1', 'D1|2', 'D2|1']],
    ['one is without a value in a row', 'Donor|Visit', ['D1|', 'D1|1', 'D1|2', 'D2|3']],
    ['the second has a unit', 'Donor|Time (h)', ['D1|1', 'D1|2', 'D2|1']],
    ['the second is of another kind', 'Donor|colour', ['D1|red', 'D1|blue', 'D2|red']],
    ['the first is of another kind', 'colour|Visit', ['red|1', 'red|2', 'blue|1']],
    ['the first is said of one', 'Plate format|Well', ['96|A1', '96|A2', '384|A1']],
    ['joined they would agree', 'Donor|Visit', ['D1|1-1', 'D1-1|1', 'D1|1', 'D1-1|1-1']],
  ])('do not where %s', (_, header, rows, alone: string[] = []) => {
    expect(named(header, ...rows)).toEqual(alone);
  });
});
