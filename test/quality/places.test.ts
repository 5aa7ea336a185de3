/** Coordinates beside a country: what is said of them, and what is proposed instead. */
import { expect, it } from 'vitest';
import { inWords, saidOf } from './sensed.js';

/** A sheet, header first, and what is said of its lines, with what is proposed. */
const PLACES: readonly (readonly [sheet: readonly string[], said: readonly string[]])[] = [
  [
    ['country|latitude|longitude', 'Germany|13.4|52.52'],
    [
      '2: "13.4" in latitude seems to be swapped with the longitude, as only so they lie in Germany; 52.52? -> 52.52',
      '2: "52.52" in longitude seems to be swapped with the latitude, as only so they lie in Germany; 13.4? -> 13.4',
    ],
  ],
  [
    ['country|latitude|longitude', 'France|48.85|-120'],
    ['2: "48.85" in latitude with the longitude -120 lies outside France; look at the latitude 48.85, too.'],
  ],
  [
    ['country|latitude|longitude', 'Brazil|23.5|-46.6'],
    ['2: "23.5" in latitude lies outside Brazil, and inside it on the other side of the equator; -23.5? -> -23.5'],
  ],
  [
    ['country|latitude|longitude', 'Brazil|+23.5|-46.6'],
    ['2: "+23.5" in latitude lies outside Brazil, and inside it on the other side of the equator; -23.5? -> -23.5'],
  ],
  [
    ['country|latitude|longitude', 'Brazil|23.5 N|46.6 W'],
    ['2: "23.5 N" in latitude lies outside Brazil, and inside it on the other side of the equator; 23.5 S? -> 23.5 S'],
  ],
  [
    ['country|latitude|longitude', "Brazil|23°33'n|46°38'W"],
    [
      `2: "23°33'n" in latitude lies outside Brazil, and inside it on the other side of the equator; 23°33'S? -> 23°33'S`,
    ],
  ],
  [
    ['country|latitude|longitude', 'Brazil|23,5|-46,6'],
    ['2: "23,5" in latitude lies outside Brazil, and inside it on the other side of the equator; -23,5? -> -23,5'],
  ],
  [
    ['country|latitude|longitude', 'USA|40.7|74'],
    ['2: "74" in longitude lies outside USA, and inside it on the other side of Greenwich; -74? -> -74'],
  ],
  [
    ['country|latitude|longitude', 'USA|40.7|74 E'],
    ['2: "74 E" in longitude lies outside USA, and inside it on the other side of Greenwich; 74 W? -> 74 W'],
  ],
  [
    ['country|latitude|longitude', 'USA|40.7|−150'],
    ['2: "40.7" in latitude with the longitude −150 lies outside USA; look at the latitude 40.7, too.'],
  ],
  [
    ['country|latitude|longitude', "Peru|77°02'W|12°03'S"],
    [
      `2: "77°02'W" in latitude seems to be swapped with the longitude, as their letters say; 12°03'S? -> 12°03'S`,
      `2: "12°03'S" in longitude seems to be swapped with the latitude, as their letters say; 77°02'W? -> 77°02'W`,
    ],
  ],
  [
    ['country|latitude|longitude', 'Nowhere|100|20'],
    [
      '2: "100" in latitude seems to be swapped with the longitude, as no latitude is beyond 90 degrees; 20? -> 20',
      '2: "20" in longitude seems to be swapped with the latitude, as no latitude is beyond 90 degrees; 100? -> 100',
    ],
  ],
  [['country|latitude|longitude', 'Germany|100|20'], ['2: "100" in latitude is no latitude: those go from -90 to 90.']],
  [
    ['country|latitude|longitude', 'Germany|13.4|52.5 E'],
    ['2: "13.4" in latitude with the longitude 52.5 E lies outside Germany; look at the latitude 13.4, too.'],
  ],
  [
    ['country|latitude|longitude', 'Germany|13.4 N|52.5'],
    ['2: "13.4 N" in latitude with the longitude 52.5 lies outside Germany; look at the latitude 13.4 N, too.'],
  ],
  [
    ['country|latitude|longitude', 'Germany|13.4|52.5 N'],
    [
      '2: "13.4" in latitude seems to be swapped with the longitude, as only so they lie in Germany; 52.5 N? -> 52.5 N',
      '2: "52.5 N" in longitude seems to be swapped with the latitude, as only so they lie in Germany; 13.4? -> 13.4',
    ],
  ],
  [
    ['country|latitude|longitude', "Nigeria|7.5|-0°59'"],
    [`2: "-0°59'" in longitude lies outside Nigeria, and inside it on the other side of Greenwich; 0°59'? -> 0°59'`],
  ],
  [
    ['country|latitude|longitude', `Germany|52°31'12"N|13°24'18"W`],
    [
      `2: "13°24'18"W" in longitude lies outside Germany, and inside it on the other side of Greenwich; 13°24'18"E? -> 13°24'18"E`,
    ],
  ],
  [
    ['country|latitude|longitude', 'Brazil|23.5|46.6'],
    ['2: "23.5" in latitude with the longitude 46.6 lies outside Brazil; look at the latitude 23.5, too.'],
  ],
  [
    ['country|latitude|longitude', ' FRANCE : Bretagne|2.35|48.85'],
    [
      '2: "2.35" in latitude seems to be swapped with the longitude, as only so they lie in FRANCE : Bretagne; 48.85? -> 48.85',
      '2: "48.85" in longitude seems to be swapped with the latitude, as only so they lie in FRANCE : Bretagne; 2.35? -> 2.35',
    ],
  ],
  [
    ['country|latitude|longitude', 'Berlin, Germany|13.4|52.52'],
    [
      '2: "13.4" in latitude seems to be swapped with the longitude, as only so they lie in Berlin, Germany; 52.52? -> 52.52',
      '2: "52.52" in longitude seems to be swapped with the latitude, as only so they lie in Berlin, Germany; 13.4? -> 13.4',
    ],
  ],
  [
    ['country|latitude|longitude', 'Europe / Germany|13.4|52.52'],
    [
      '2: "13.4" in latitude seems to be swapped with the longitude, as only so they lie in Europe / Germany; 52.52? -> 52.52',
      '2: "52.52" in longitude seems to be swapped with the latitude, as only so they lie in Europe / Germany; 13.4? -> 13.4',
    ],
  ],
  [
    ['country|latitude|longitude', 'Germany|44.9|3.5'],
    ['2: "44.9" in latitude with the longitude 3.5 lies outside Germany; look at the latitude 44.9, too.'],
  ],
  [
    ['country|latitude|longitude', 'Germany|57.6|17.5'],
    ['2: "57.6" in latitude with the longitude 17.5 lies outside Germany; look at the latitude 57.6, too.'],
  ],
  [
    ['country|latitude|longitude', 'Germany|57.5|17.6'],
    ['2: "57.5" in latitude with the longitude 17.6 lies outside Germany; look at the latitude 57.5, too.'],
  ],
  [
    ['country|latitude|longitude', 'Germany|45|3.4'],
    ['2: "45" in latitude with the longitude 3.4 lies outside Germany; look at the latitude 45, too.'],
  ],
  [
    [
      'country|latitude|longitude',
      'Germany|52.52|13.4',
      'Brazil|52.52|13.4',
      'Germany|52.52|13.4',
      '|52.52|13.4',
      'Brazil|52.52|13.4',
    ],
    [
      '3: "52.52" in latitude with the longitude 13.4 lies outside Brazil; look at the latitude 52.52, too.',
      '6: "52.52" in latitude with the longitude 13.4 lies outside Brazil; look at the latitude 52.52, too.',
    ],
  ],
];

const HARMLESS: readonly (readonly string[])[] = [
  ['country|latitude|longitude', 'Germany|52.5 N|13.4 E'],
  ['country|latitude|longitude', 'not collected|13.4|52.52'],
  ['country|latitude|longitude', 'Germany|here|13.4'],
  ['country|latitude|longitude', 'Germany|13.4|there'],
  ['country|latitude|longitude', 'Germany||13.4'],
  ['country|latitude|longitude', "Nigeria|7.5|0°59'"],
  ['country|latitude|longitude', 'Germany|45|3.5'],
  ['country|latitude|longitude', 'Germany|57.5|17.5'],
];

it.each(PLACES)('%j', async (sheet, said) => {
  expect(inWords(await saidOf(sheet))).toEqual(said);
});

it.each(HARMLESS.map((sheet) => [sheet]))('nothing is said of %j', async (sheet) => {
  expect(await saidOf(sheet)).toEqual([]);
});
