/** Coordinates that are none or are swapped, in two cells or one. */
import { expect, it } from 'vitest';
import { inWords, saidOf } from './sensed.js';

/** A sheet, header first, and what is said of its lines, with what is proposed. */
const PLACES: readonly (readonly [sheet: readonly string[], said: readonly string[]])[] = [
  [
    ['latitude|longitude', '100|20'],
    [
      '2: "100" in latitude seems to be swapped with the longitude, as no latitude is beyond 90 degrees; 20? -> 20',
      '2: "20" in longitude seems to be swapped with the latitude, as no latitude is beyond 90 degrees; 100? -> 100',
    ],
  ],
  [['latitude|longitude', '100|95'], ['2: "100" in latitude is no latitude: those go from -90 to 90.']],
  [['latitude|longitude', '190|20'], ['2: "190" in latitude is no latitude: those go from -90 to 90.']],
  [
    ['latitude|longitude', '180|90'],
    [
      '2: "180" in latitude seems to be swapped with the longitude, as no latitude is beyond 90 degrees; 90? -> 90',
      '2: "90" in longitude seems to be swapped with the latitude, as no latitude is beyond 90 degrees; 180? -> 180',
    ],
  ],
  [
    ['latitude|longitude', '100|90'],
    [
      '2: "100" in latitude seems to be swapped with the longitude, as no latitude is beyond 90 degrees; 90? -> 90',
      '2: "90" in longitude seems to be swapped with the latitude, as no latitude is beyond 90 degrees; 100? -> 100',
    ],
  ],
  [['latitude|longitude', '95 N|20'], ['2: "95 N" in latitude is no latitude: those go from -90 to 90.']],
  [['latitude|longitude', '95|20 E'], ['2: "95" in latitude is no latitude: those go from -90 to 90.']],
  [
    ['latitude|longitude', '95|20 N'],
    [
      '2: "95" in latitude seems to be swapped with the longitude, as no latitude is beyond 90 degrees; 20 N? -> 20 N',
      '2: "20 N" in longitude seems to be swapped with the latitude, as no latitude is beyond 90 degrees; 95? -> 95',
    ],
  ],
  [['latitude|longitude', '20|181'], ['2: "181" in longitude is no longitude: those go from -180 to 180.']],
  [['latitude|longitude', '-91|-181'], ['2: "-91" in latitude is no latitude: those go from -90 to 90.']],
  [
    ['country|coordinates', 'Germany|13.4, 52.52'],
    [
      '2: "13.4, 52.52" in coordinates seems to have latitude and longitude swapped, as only so they lie in Germany; 52.52, 13.4? -> 52.52, 13.4',
    ],
  ],
  [
    ['country|coordinates', 'Brazil|23.5, -46.6'],
    [
      '2: "23.5, -46.6" in coordinates lies outside Brazil, and inside it on the other side of the equator; -23.5, -46.6? -> -23.5, -46.6',
    ],
  ],
  [
    ['country|coordinates', 'Brazil|23.5; -46.6'],
    [
      '2: "23.5; -46.6" in coordinates lies outside Brazil, and inside it on the other side of the equator; -23.5; -46.6? -> -23.5; -46.6',
    ],
  ],
  [
    ['country|coordinates', 'USA|38.98 N 77.11 E'],
    [
      '2: "38.98 N 77.11 E" in coordinates lies outside USA, and inside it on the other side of Greenwich; 38.98 N 77.11 W? -> 38.98 N 77.11 W',
    ],
  ],
  [
    ['country|coordinates', 'Chile|0, 0'],
    ['2: "0, 0" in coordinates with the longitude 0 lies outside Chile; look at the latitude 0, too.'],
  ],
  [['country|coordinates', 'Chile|95, 200'], ['2: "95, 200" in coordinates is no latitude: those go from -90 to 90.']],
  [
    ['country|coordinates', '|77.11 W 38.98 N'],
    [
      '2: "77.11 W 38.98 N" in coordinates seems to have latitude and longitude swapped, as their letters say; 38.98 N 77.11 W? -> 38.98 N 77.11 W',
    ],
  ],
  [
    ['lat_lon', '77.11 W 38.98 N'],
    [
      '2: "77.11 W 38.98 N" in lat_lon seems to have latitude and longitude swapped, as their letters say; 38.98 N 77.11 W? -> 38.98 N 77.11 W',
    ],
  ],
];

const HARMLESS: readonly (readonly string[])[] = [
  ['latitude|longitude', '90|180'],
  ['latitude|longitude', '90.0°|180.0°'],
  ['latitude|longitude', '20 E|50'],
  ['latitude|longitude', '50|20 N'],
  ['latitude|longitude', 'N 91 N|20'],
  ['country|coordinates', 'Chile|somewhere'],
  ['country|coordinates', 'Chile|-33.4, -70.6'],
  ['lat_lon', '38.98 N 77.11 W'],
];

it.each(PLACES)('%j', async (sheet, said) => {
  expect(inWords(await saidOf(sheet))).toEqual(said);
});

it.each(HARMLESS.map((sheet) => [sheet]))('nothing is said of %j', async (sheet) => {
  expect(await saidOf(sheet)).toEqual([]);
});
