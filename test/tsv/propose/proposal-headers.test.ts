/** What the header of a foreign column says of it, in the words of laboratories, beside values that agree. */
import { describe, expect, it } from 'vitest';
import { proposeColumn, proposeRows, taken, targetOf, targets, whys } from './propose-text.js';

describe('headers of our own sheets', () => {
  it.each([
    ['Characteristics[organ]', 'characteristic organ'],
    ['Comment[bsd_relationship:child of]', 'relationship child of'],
    ['Comment[external DB REF]', 'reference'],
    ['Comment[submission_contact:email]', 'contact'],
    ['Comment[submission_organization:name]', 'organization'],
    ['Comment[publication:doi]', 'publication'],
    ['Term Source REF', 'source'],
    ['Error Message', 'ignored'],
    ['Comment[anything]', 'ignored'],
    ['Parameter Value[x]', 'ignored'],
    ['Protocol REF', 'ignored'],
    ['protocol_ref', 'ignored'],
    ['Sample Identifier', 'identifier'],
  ])('%s means so in any sheet', (header, target) => {
    const column = proposeColumn(header, ['SAMR7']);
    expect([targetOf(column), column.confidence, column.why]).toEqual([
      target,
      'high',
      'This header means so in any sheet.',
    ]);
  });

  it.each([
    ['Charateristics[organ]', 'characteristic organ', 'Characteristics[organ]'],
    ['Attribute[organ]', 'characteristic organ', 'Characteristics[organ]'],
    ['Coment[publication:doi]', 'publication', 'Comment[publication:doi]'],
    ['Comment[external DB REFs]', 'reference', 'Comment[external DB REF]'],
  ])('%s is nearly one of them', (header, target, meant) => {
    const column = proposeColumn(header, ['liver', 'lung']);
    expect([targetOf(column), column.confidence, column.why]).toEqual([
      target,
      'middle',
      `The header is nearly ${meant}.`,
    ]);
  });

  it.each(['Relationship[bred with]', 'Relation: bred with', 'Comment[relationship:bred with]'])(
    '%s is a relationship where its values are samples',
    (header) => {
      expect(taken(header, '', 's0')).toBe('relationship bred with, high');
      expect(taken(header, '', 'nobody')).toBe(`characteristic ${header}, low`);
      expect(taken(header, '', '')).toBe('relationship bred with, middle');
    },
  );

  it.each(['Date', 'Performer', 'Source Name'])(
    '%s, a plain word of ISA-Tab, is looked at like any other',
    (header) => {
      expect(taken(header, 'somebody')).toBe(`characteristic ${header}, low`);
    },
  );

  it('keep the member of a contact, an organization or a publication', () => {
    const { columns } = proposeRows([
      'Sample Name|Comment[submission_contact:email]|Comment[publication:doi]',
      'a|x@example.org|10.1/2',
    ]);
    expect(columns.slice(1).map(({ meaning }) => meaning)).toEqual([
      { as: 'contact', member: 'email' },
      { as: 'publication', member: 'doi' },
    ]);
  });
});

describe('a header', () => {
  it('of 200 characters can be named by a profile, a longer one cannot', () => {
    expect(proposeColumn('h'.repeat(200), ['x']).meaning).toEqual({ as: 'characteristic' });
    const { meaning, why, confidence } = proposeColumn('h'.repeat(201), ['x']);
    expect([meaning, why, confidence]).toEqual([
      undefined,
      'Its header is longer than 200 characters, so no profile can name it.',
      'low',
    ]);
  });

  it('that is missing leaves a column unstored, which matters where it has values', () => {
    const { columns } = proposeRows(['sample|||organ', 'a|x||liver']);
    expect(columns.slice(1, 3).map(({ meaning, why, confidence }) => [meaning, why, confidence])).toEqual([
      [undefined, 'It has no header: it is not stored. Give it one to keep its values.', 'middle'],
      [undefined, 'It has no header and no values.', 'high'],
    ]);
  });

  it('is shown with its blanks made one', () => {
    expect(proposeColumn('  body   site ', ['x']).header).toBe('body site');
  });

  it('that a checklist has as a field, with a star or in other writing, takes its name', () => {
    expect(taken('*Isolation_Source', 'soil')).toBe('characteristic isolation source, high');
    expect(taken('isolation-source', 'soil')).toBe('characteristic isolation source, high');
    expect(taken('isolation source', '')).toBe('characteristic isolation source, middle');
    expect(proposeColumn('Isolate', ['x', 'x']).why).toBe('The checklist pathogen has a field isolate.');
    expect(taken('* *', 'x')).toBe('characteristic *, low');
    expect(taken('**  organ *left', 'x')).toBe('characteristic organ *left, low');
    expect(taken('organ *left', 'x')).toBe('characteristic organ *left, low');
    expect(taken('*organ', 'x')).toBe('characteristic organ, low');
  });
});

describe('other headers', () => {
  it('of accessions of this registry, none twice, say which samples the rows update', () => {
    const rows = ['Sample Name|biosample id', 'a|SAMR2', 'b|SAMR3'];
    expect(targets(...rows)[1]).toBe('identifier, middle');
    expect(whys(...rows)[1]).toBe(
      'Its values are accessions of this registry, none twice: its rows update those samples.',
    );
    expect(targets('Sample Name|biosample id', 'a|SAMR2', 'b|SAMR2')[1]).toBe('characteristic biosample id, low');
    expect(targets('Sample Name|biosample id', 'a|SAMR2', 'b|SAMEA3')[1]).toBe('characteristic biosample id, low');
    expect(targets('Sample Name|pair', 'a|SAMR2', 'b|SAMR3')[1]).toBe('characteristic pair, low');
    expect(targets('Sample Name|parent id', 'a|SAMR2', 'b|SAMR3')[1]).toBe('relationship derived from, high');
  });

  it.each(['Image URL', 'link', 'DOI', 'external reference'])('%s of addresses on the web is a reference', (header) => {
    expect(taken(header, 'https://a.example/1', 'http://a.example/2')).toBe('reference, middle');
    expect(proposeColumn(header, ['https://a.example/1']).why).toBe('Its values are addresses on the web.');
    expect(taken(header, 'https://a.example/1', 'a.example')).toBe(`characteristic ${header}, low`);
    expect(taken(header, 'see https://a.example/1')).toBe(`characteristic ${header}, low`);
    expect(taken(header, 'https://a.example/1 and more')).toBe(`characteristic ${header}, low`);
  });

  it('addresses under any other header stay values', () => {
    expect(taken('picture', 'https://a.example/1')).toBe('characteristic picture, low');
  });

  it.each(['#', 'No', 'Nr.', 'row number', 'index', 'Unnamed: 0'])('%s that counts the rows is left out', (header) => {
    expect(taken(header, '1', '2', '3')).toBe('ignored, high');
    expect(taken(header, '0', '1')).toBe('ignored, high');
    expect(taken(header, '1', '3')).toBe(`characteristic ${header}, low`);
    expect(taken(header, '1')).toBe(`characteristic ${header}, low`);
    expect(proposeColumn(header, ['1', '2']).why).toBe('It numbers the rows of the sheet.');
  });

  it.each(['Remarks', 'internal notes', 'Bemerkung', 'Observaciones', 'Remarques'])(
    '%s comes back and is not stored',
    (header) => {
      expect(taken(header, 'x')).toBe('comment, middle');
      expect(proposeColumn(header, ['x']).why).toBe(
        'The header speaks of remarks: they come back with the result and are not stored.',
      );
    },
  );

  it.each(['notebook', 'footnotes', 'commentary'])('%s is a header like any other', (header) => {
    expect(taken(header, 'x')).toBe(`characteristic ${header}, low`);
  });
});
