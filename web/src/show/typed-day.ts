/** Earlier years are none that anybody means by a release. */
const FIRST_YEAR = 1900;

/** Of a year of which two digits were typed, the browser makes one of the first century: `0027-12-31`. */
export const typedDayProblem = (day: string): string | undefined =>
  day !== '' && Number(day.slice(0, 4)) < FIRST_YEAR
    ? `Write the year with four digits, such as 2027: the year ${day.slice(0, 4)} is long past, and samples would be public at once.`
    : undefined;
