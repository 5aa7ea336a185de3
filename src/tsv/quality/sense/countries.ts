/**
 * Countries as boxes: south, west, north, east in degrees, generous, with their parts overseas; a box that crosses the
 * date line is two. Countries of islands over half an ocean are left out, and so is what is disputed or means two places
 * (Georgia).
 */
export type Box = readonly [south: number, west: number, north: number, east: number];

/** `name = other names : box; box`. */
const TABLE = `
Afghanistan : 29 60 39 75
Albania : 39 19 43 21.5
Algeria : 18 -9 38 12
Angola : -18.5 11 -4 24.5
Argentina : -56 -74 -21 -53
Armenia : 38.5 43 41.5 47
Australia : -44 112 -9 155; -30 158 -28 169; -55.5 158 -54 160; -13 96 -10 106; -54 72 -52 75
Austria : 46 9.5 49.5 17.5
Azerbaijan : 38 44.5 42 51
Bahrain : 25.5 50 26.5 51
Bangladesh : 20.5 88 27 93
Belarus : 51 23 56.5 33
Belgium : 49 2 52 6.5
Belize : 15.5 -90 19 -87
Benin : 6 0.5 12.5 4
Bhutan : 26.5 88.5 28.5 92.5
Bolivia : -23 -70 -9.5 -57
Bosnia and Herzegovina = bosnia : 42.5 15.5 45.5 20
Botswana : -27 20 -17.5 29.5
Brazil : -34 -74 5.5 -28
Bulgaria : 41 22 44.5 29
Burkina Faso : 9 -6 15.5 2.5
Burundi : -4.5 29 -2 31
Cambodia : 10 102 15 108
Cameroon : 1.5 8 13.5 16.5
Canada : 41.5 -141.5 84 -52
Central African Republic : 2 14 11.5 27.5
Chad : 7 13 24 24.5
Chile : -56 -76 -17 -66; -34 -81 -26 -78; -28 -110 -26 -105
China = people's republic of china, pr china, p.r. china : 18 73 54 135.5; 3 108 21 118
Colombia : -4.5 -82 13.5 -66.5
Costa Rica : 5 -87.5 11.5 -82.5
Cote d'Ivoire = côte d'ivoire, ivory coast : 4 -9 11 -2
Croatia : 42 13 47 19.5
Cuba : 19.5 -85 23.5 -74
Cyprus : 34.5 32 36 35
Czech Republic = czechia : 48.5 12 51.5 19
Democratic Republic of the Congo = dr congo, drc : -13.5 12 5.5 31.5
Denmark : 54.5 8 58 15.5; 61 -8 63 -6; 59 -74 84 -10
Dominican Republic : 17.5 -72 20 -68
Ecuador : -5.5 -81.5 2 -75; -2 -92.5 2 -88.5
Egypt : 22 24.5 32 37
El Salvador : 13 -90.5 14.5 -87.5
Eritrea : 12 36 18.5 43.5
Estonia : 57.5 21.5 60 28.5
Eswatini = swaziland : -27.5 30.5 -25.5 32.5
Ethiopia : 3 32.5 15 48
Finland : 59 19 70.5 32
France : 41 -5.5 51.5 10; 2 -55 6 -51; 14 -63.5 18.5 -60.5; -22 55 -20.5 56; -13.5 44.5 -12 45.5; 46 -57 47.5 -56; -28 -155 -7 -134; -23 163 -19 169; -15 -179 -13 -176; -50 50 -37 78
Gabon : -4 8.5 2.5 15
Gambia = the gambia : 13 -17 14 -13.5
Germany : 47 5.5 55.5 15.5
Ghana : 4.5 -3.5 11.5 1.5
Greece : 34.5 19 42 30
Guatemala : 13.5 -92.5 18 -88
Guinea : 7 -15.5 13 -7.5
Guinea-Bissau : 10.5 -17 13 -13.5
Guyana : 1 -61.5 9 -56
Haiti : 18 -74.5 20.5 -71.5
Honduras : 13 -89.5 17.5 -82.5
Hong Kong : 22 113.5 23 114.5
Hungary : 45.5 16 49 23
Iceland : 63 -25 67 -13
India : 6 68 36 97.5
Indonesia : -11.5 95 6.5 141.5
Iran : 25 44 40 63.5
Iraq : 29 38.5 37.5 49
Ireland = republic of ireland : 51 -11 55.5 -5.5
Israel : 29 34 33.5 36
Italy : 35 6.5 47.5 19
Jamaica : 17.5 -78.5 19 -76
Japan : 20 122 46 154
Jordan : 29 34.5 33.5 39.5
Kazakhstan : 40.5 46.5 55.5 87.5
Kenya : -5 33.5 5.5 42
Kuwait : 28.5 46.5 30.5 49
Kyrgyzstan : 39 69 43.5 80.5
Laos = lao people's democratic republic : 13.5 100 23 108
Latvia : 55.5 20.5 58.5 28.5
Lebanon : 33 35 35 37
Lesotho : -31 27 -28.5 29.5
Liberia : 4 -11.5 9 -7
Libya : 19 9 33.5 25.5
Lithuania : 53.5 20.5 56.5 27
Luxembourg : 49 5.5 50.5 7
Madagascar : -26 43 -11.5 51
Malawi : -17.5 32.5 -9 36
Malaysia : 0.5 99 7.5 119.5
Mali : 10 -12.5 25 4.5
Malta : 35.5 14 36.5 15
Mauritania : 14.5 -17.5 27.5 -4.5
Mauritius : -21 56.5 -19.5 64
Mexico : 14 -118.5 33 -86.5
Moldova = republic of moldova : 45 26.5 48.5 30.5
Mongolia : 41.5 87.5 52.5 120
Montenegro : 41.5 18 44 20.5
Morocco : 20.5 -17.5 36 -1
Mozambique : -27 30 -10 41
Myanmar = burma : 9.5 92 28.5 101.5
Namibia : -29 11.5 -16.5 25.5
Nepal : 26 80 30.5 88.5
Netherlands = the netherlands, holland : 50.5 3 54 7.5; 12 -70.5 13 -68; 17 -63.5 18.5 -62.5
New Zealand : -48 166 -34 179.9; -53 165 -47 180; -45 -178 -29 -175
Nicaragua : 10.5 -88 15.5 -82.5
Niger : 11.5 0 24 16
Nigeria : 4 2.5 14 15
North Macedonia = macedonia : 40.5 20 42.5 23.5
Norway : 57.5 4 71.5 31.5; 70 -10 81 35; -55 3 -54 4
Oman : 16.5 51.5 26.5 60
Pakistan : 23.5 60.5 37.5 77.5
Panama : 7 -83.5 10 -77
Papua New Guinea : -12 140.5 0 160
Paraguay : -28 -63 -19 -54
Peru : -18.5 -81.5 0.5 -68.5
Philippines : 4.5 116 21.5 127
Poland : 49 14 55 24.5
Portugal : 36.5 -9.6 42.5 -6; 32 -17.5 33.5 -16; 36.5 -31.5 40 -24.5
Puerto Rico : 17.5 -68 19 -65
Qatar : 24 50.5 26.5 52
Republic of the Congo = congo-brazzaville : -5.5 11 4 19
Romania : 43.5 20 48.5 30
Russia = russian federation : 41 19 82 180; 60 -180 72 -168
Rwanda : -3 28.5 -1 31
Saudi Arabia : 16 34.5 32.5 56
Senegal : 12 -18 17 -11
Serbia : 41.5 18.5 46.5 23.5
Sierra Leone : 6.5 -13.5 10 -10
Singapore : 1 103.5 1.5 104.5
Slovakia = slovak republic : 47.5 16.5 50 23
Slovenia : 45 13 47 17
Somalia : -2 40.5 12.5 51.5
South Africa : -35 16 -22 33; -47.5 37 -46 38.5
South Korea = republic of korea : 33 124 39 132
South Sudan : 3 24 12.5 36
Spain : 35 -9.5 44 4.5; 27.5 -18.5 29.5 -13
Sri Lanka : 5.5 79.5 10 82
Sudan : 8.5 21.5 23.5 39
Suriname : 1.5 -58.5 6.5 -53.5
Sweden : 55 10.5 69.5 24.5
Switzerland : 45.5 5.5 48 10.5
Syria : 32 35.5 37.5 42.5
Taiwan : 21.5 118 26.5 122.5
Tajikistan : 36.5 67 41.5 75.5
Tanzania : -12 29 -0.5 40.5
Thailand : 5.5 97 20.5 106
Togo : 6 -0.5 11.5 2
Trinidad and Tobago : 10 -62 11.5 -60.5
Tunisia : 30 7.5 37.5 12
Turkey = türkiye, turkiye : 35.5 25.5 42.5 45
Turkmenistan : 35 52 43 67
Uganda : -1.5 29.5 4.5 35
Ukraine : 44 22 52.5 40.5
United Arab Emirates = uae : 22.5 51 26.5 56.5
United Kingdom = uk, great britain, england, scotland, wales, northern ireland : 49.5 -9 61 2; 36 -5.5 36.2 -5; -60 -68 -49 -25; 17.5 -65 19 -62; 32 -65 32.5 -64.5; 18.5 -82 20 -79; -41 -15 -7 -5; -8 70 -5 73; -26 -131 -23 -124
Uruguay : -35 -58.5 -30 -53
USA = united states, united states of america, us, u.s.a. : 24 -125.5 49.5 -66; 51 -180 72 -129; 50 172 54 180; 18 -179 29 -154; 17.5 -68 19 -64; 13 144 21 147; -15 -172 -14 -168
Uzbekistan : 37 55.5 46 73.5
Venezuela : 0.5 -73.5 16 -59.5
Viet Nam = vietnam : 8 102 23.5 110
Yemen : 12 42 19 54.5
Zambia : -18.5 21.5 -8 34
Zimbabwe : -22.5 25 -15.5 33.5`;

/** Degrees beyond its boxes that still count as a country: its waters, and places that are rounded. */
const MARGIN = 2;

export const COUNTRIES = new Map<string, readonly Box[]>();
for (const line of TABLE.trim().split('\n')) {
  const [names = '', boxes = ''] = line.split(' : ');
  const [name = '', others = ''] = names.split(' = ');
  const parsed = boxes.split('; ').map((box) => box.split(' ').map(Number) as unknown as Box);
  for (const one of [name.toLowerCase(), ...(others ? others.split(', ') : [])]) COUNTRIES.set(one, parsed);
}

/** The boxes of a country as sheets name it: `France: Bretagne`, `Berlin, Germany`, `Europe / Germany`; undefined of what is not listed. */
export function boxesOf(text: string): readonly Box[] | undefined {
  const whole = text.trim().toLowerCase();
  const before = (whole.split(/[:;|(]/)[0] ?? '').trim();
  const parts = before.includes(',') ? before.split(',').reverse() : before.split('/');
  for (const part of [whole, ...parts]) {
    const boxes = COUNTRIES.get(part.trim());
    if (boxes) return boxes;
  }
  return undefined;
}

export const isWithin = (boxes: readonly Box[], latitude: number, longitude: number): boolean =>
  boxes.some(
    ([south, west, north, east]) =>
      latitude >= south - MARGIN &&
      latitude <= north + MARGIN &&
      longitude >= west - MARGIN &&
      longitude <= east + MARGIN,
  );
