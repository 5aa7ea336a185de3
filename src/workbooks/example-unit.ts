/** Units for the example row of a template that make sense for what they measure. */

/** First match of the characteristic's name → units, best first; those of one unit are its spellings. */
const BY_NAME: [name: RegExp, units: string[]][] = [
  [/\b(latitude|longitude)\b/i, ['decimal degree', 'decimal degrees', 'DD', '°']],
  [/\bph\b/i, ['none', 'pH', 'pH unit']],
  [/\b(age|duration|time)\b/i, ['year', 'years', 'a', 'hour', 'hours', 'h']],
  [/temperature/i, ['°C', 'ºC', 'degree Celsius', 'degrees Celsius', 'C']],
  [/body.mass index|\bbmi\b/i, ['kg/m2', 'kg/m²']],
  [/\b(mass|weight)\b/i, ['kg', 'g', 'mg']],
  [/\b(depth|altitude|elevation|height|length|distance)\b/i, ['m', 'metre', 'meter', 'cm']],
  [/\bvolume\b/i, ['mL', 'ml', 'L']],
  [/concentration/i, ['mg/L', 'ng/µL']],
  [/salinity/i, ['psu', 'PSU']],
  [/humidity|percent/i, ['%', 'percent']],
];

/** The unit to show for this characteristic, one of `allowed` where they are listed; `not applicable` where nothing is known. */
export function exampleUnit(characteristic: string, allowed: readonly string[] | undefined): string {
  const fitting = BY_NAME.find(([name]) => name.test(characteristic))?.[1] ?? [];
  if (allowed && allowed.length > 0) return fitting.find((unit) => allowed.includes(unit)) ?? (allowed[0] as string);
  return fitting[0] ?? 'not applicable';
}
