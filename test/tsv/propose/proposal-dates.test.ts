/** Dates and numbers of a foreign column: what is read by its form, and what is asked because it can be read in two ways. */
import { describe, expect, it } from 'vitest';
import { proposeColumn, taken } from './propose-text.js';

/** What the column is taken for, and how sure that is. */

describe('dates', () => {
  it.each([
    ['days', '2024-05-01', '2024-05-02'],
    ['days with times', '2024-05-01T10:20:30Z', '2024-05-02 10:20'],
    ['months', '2024-05', '2024-12'],
  ])('of the form in which they are stored, %s, need no form', (_, ...values) => {
    expect(taken('measured', ...values)).toBe('characteristic measured, middle');
    expect(proposeColumn('measured', values).why).toBe('Its values are dates.');
  });

  it.each([
    ['of a month that there is none of', '1024-45', '1024-46'],
    ['of month 0', '2024-00', '2024-01'],
    ['with something before them', 'x2024-05', '2024-06'],
    ['with something behind them', '2024-05-1', '2024-06'],
    ['among which one is none', '2024-05-01', 'spring'],
  ])('are none %s', (_, ...values) => {
    expect(proposeColumn('measured', values).why).toBe('No rule knows this header: kept under it.');
  });

  it.each([
    ['of Thailand', '12/03/2567', '13/03/2567'],
    ['of Iran', '1402/05/12', '1402/11/20'],
    ['of Israel', '12.03.5784', '13.03.5784'],
  ])('%s stay as they are written: read as ours they would be other days', (_, ...values) => {
    const { meaning, confidence } = proposeColumn('collected', values);
    expect([meaning, confidence]).toEqual([{ as: 'characteristic', name: 'collection date' }, 'middle']);
  });

  it('among which one has a wrong year keep their form', () => {
    const { meaning } = proposeColumn('measured', ['12.03.2024', '13.03.0204', '14.03.2024']);
    expect(meaning).toMatchObject({ date: 'DD.MM.YYYY' });
  });

  it.each([
    ['DD.MM.YYYY', '13.05.2024'],
    ['DD/MM/YYYY', '13/05/2024'],
    ['MM/DD/YYYY', '05/13/2024'],
    ['DD-MM-YYYY', '13-05-2024'],
    ['MM-DD-YYYY', '05-13-2024'],
    ['YYYY/MM/DD', '2024/05/03'],
    ['YYYY.MM.DD', '2024.05.03'],
    ['DD-MMM-YYYY', '03-May-2024'],
    ['DD MMM YYYY', '03 May 2024'],
    ['DD. MMM YYYY', '03. May 2024'],
    ['MMM DD, YYYY', 'May 03, 2024'],
    ['MMM DD YYYY', 'May 03 2024'],
  ])('of the form %s are read by it, with times of two lengths, too', (form, day) => {
    expect(taken('measured', day)).toBe(`characteristic measured ${form}, middle`);
    expect(taken('measured', `${day} 08:30`)).toBe(`characteristic measured ${form} hh:mm, middle`);
    expect(taken('measured', `${day} 08:30:15`)).toBe(`characteristic measured ${form} hh:mm:ss, middle`);
    expect(proposeColumn('measured', [day]).why).toBe(`Its values are dates of the form ${form}.`);
  });

  it('of eight digits are dates where the header says so alone', () => {
    expect(taken('frozen', '20240501')).toBe('characteristic frozen YYYYMMDD, middle');
    expect(taken('lot', '20240501')).toBe('characteristic lot, low');
  });

  it('with points are certain only when a day above 12 is among them', () => {
    expect(taken('date of collection', '1.2.2024', '3.4.2024')).toBe(
      'characteristic collection date DD.MM.YYYY, middle',
    );
    expect(taken('date of collection', '1.2.2024', '13.4.2024')).toBe(
      'characteristic collection date DD.MM.YYYY, high',
    );
    expect(taken('date of collection', '12.2.2024 08:30')).toBe(
      'characteristic collection date DD.MM.YYYY hh:mm, middle',
    );
  });

  it('that may be of two forms are asked', () => {
    expect(proposeColumn('measured', ['03/04/2024'])).toMatchObject({
      confidence: 'low',
      dateForms: ['DD/MM/YYYY', 'MM/DD/YYYY'],
      why: 'Its dates may be DD/MM/YYYY or MM/DD/YYYY: say which; until then they stay as they are written.',
    });
  });

  it('are missed under a header that speaks of the collection', () => {
    expect(taken('collection date', '2024-05-01')).toBe('characteristic collection date, high');
    expect(taken('collection date', '03/04/2024')).toBe('characteristic collection date, low');
    expect(taken('collection date', 'in spring')).toBe('characteristic collection date, middle');
    expect(taken('collection date', '')).toBe('characteristic collection date, middle');
  });
});

describe('a date of release', () => {
  it.each([
    'Release Date',
    'Release Date*',
    'Release date (YYYY-MM-DD)',
    'date of release',
    'embargo until',
    'hold until',
    'public from',
    'public release date',
  ])('under %s is never sure by its header alone', (header) => {
    const sure = header === 'Release Date' ? 'high' : 'middle';
    expect(taken(header, '2030-01-01')).toBe(`release, ${sure}`);
    expect(taken(header, '31.12.2030')).toBe(`release DD.MM.YYYY, ${sure}`);
    expect(taken(header, '20301231')).toBe(`release YYYYMMDD, ${sure}`);
  });

  it.each(['2030-01-01', '31.12.2030'])('says so of %s', (text) => {
    expect(proposeColumn('embargo until', [text]).why).toBe(
      'The header speaks of becoming public, and its values are dates.',
    );
  });

  it('that is none, or may be two days, does not become public by a guess', () => {
    expect(taken('embargo until', 'the paper is out')).toBe('characteristic embargo until, low');
    expect(taken('embargo until', '01.02.2030 08:30')).toBe('characteristic embargo until DD.MM.YYYY hh:mm, middle');
    expect(taken('embargo until', '01/02/2030')).toBe('characteristic embargo until, low');
    expect(taken('embargo until', '')).toBe('characteristic embargo until, low');
  });

  it('under our own header says what is the matter with its values', () => {
    const why = (value: string): unknown => {
      const { why: said, confidence, dateForms } = proposeColumn('Release Date', [value]);
      return [said, confidence, dateForms];
    };
    const plain = 'This header means so in any sheet.';
    const doubtful = 'This header means so in any sheet, but not all values are dates that can be read in one way.';
    expect(why('2030-01-01')).toEqual([plain, 'high', undefined]);
    expect(why('')).toEqual([plain, 'high', undefined]);
    expect(why('31.12.2030')).toEqual([
      'This header means so in any sheet; all values are DD.MM.YYYY.',
      'high',
      undefined,
    ]);
    expect(why('01.02.2030')).toEqual([doubtful, 'low', undefined]);
    expect(why('soon')).toEqual([doubtful, 'low', undefined]);
    expect(why('01/02/2030')).toEqual([doubtful, 'low', ['DD/MM/YYYY', 'MM/DD/YYYY']]);
  });
});

describe('numbers with a comma', () => {
  it('leave less sure what a header says', () => {
    expect(taken('age', '3')).toBe('characteristic age, high');
    expect(taken('age', '3,5')).toBe('characteristic age decimal, middle');
    expect(taken('age', '3,500')).toBe('characteristic age, low');
    expect(proposeColumn('age', ['3']).why).toBe('The header is a word for age.');
  });

  it.each([
    ['0,5', '12,25'],
    ['-0,5', '+1.234,5'],
    ['1.234.567,8', '3'],
    ['1,200', '0,5'],
    ['1.234', '2,5'],
  ])('%s, %s: it is the decimal sign', (...values) => {
    expect(taken('volume', ...values)).toBe('characteristic volume decimal, middle');
    expect(taken('volume (ml)', ...values)).toBe('characteristic volume unit ml decimal, high');
    expect(proposeColumn('volume', values).why).toBe('Its numbers are written with a decimal comma.');
  });

  it.each([
    ['1,200', '2,345'],
    ['-1,200', '7'],
    ['+123,456', '1.000'],
  ])('%s, %s: it may part thousands, and is asked', (...values) => {
    expect(proposeColumn('cells', values)).toMatchObject({
      meaning: { as: 'characteristic' },
      confidence: 'low',
      decimalDoubt: true,
      why: 'The comma in its numbers may part thousands or decimals: say which; until then they stay as they are written.',
    });
  });

  it.each([
    ['1,234,567', '1,234'],
    ['1,234,567', '0,5'],
    ['0,5', 'about 1,5'],
    ['1,5', '2,5 ml'],
    ['x1,5', '2,5'],
    ['1.5', '2,5'],
    ['12.34,5', '1,5'],
    ['12.5', '13'],
  ])('%s, %s: is kept as it is written', (...values) => {
    const { meaning, decimalDoubt } = proposeColumn('cells', values);
    expect([meaning, decimalDoubt]).toEqual([{ as: 'characteristic' }, undefined]);
  });
});
