/** Marks that turn the direction of the text behind them: nobody sees them, and a message that repeats one would read from its end. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** The text with such marks by their number, `<U+202E>`: where they are what is wrong, they are seen. */
export const showMarks = (text: string): string =>
  text.replace(TURNING, (mark) => `<U+${mark.charCodeAt(0).toString(16).toUpperCase()}>`);
