/** Which media type an answer takes, by the request's Accept header. */
import { parse } from 'content-type';
import { RegistryError } from '../registry/errors.js';

export const HAL = 'application/hal+json';
/** As the field's reference system spells it. */
const JSON_UTF8 = 'application/json;charset=UTF-8';

interface AcceptedRange {
  type: string;
  quality: number;
}

/** Clients send the same few headers again and again. */
const remembered = new Map<string, string | undefined>();
const MAX_REMEMBERED = 500;

/**
 * Content type of a JSON answer: `application/json` as asked, HAL when anything is accepted or no header is sent.
 * @throws RegistryError not-acceptable
 */
export function negotiateJson(accept: string | undefined, preferred: string = HAL): string {
  const chosen = negotiate(accept, preferred === HAL ? [HAL, 'application/json'] : ['application/json', HAL]);
  return chosen === HAL ? HAL : JSON_UTF8;
}

/**
 * The offer that the client likes best; of those it likes the same, the first.
 * @throws RegistryError not-acceptable when it takes none
 */
export function negotiate<Offer extends string>(
  accept: string | undefined,
  offers: readonly [Offer, ...Offer[]],
): Offer {
  const chosen = bestOf(accept, offers);
  if (chosen !== undefined) return chosen;
  throw new RegistryError(
    'not-acceptable',
    `The Accept header is ${JSON.stringify(accept?.slice(0, 200))}; this address answers ${offers.join(' or ')}.`,
  );
}

/** The same; undefined when it takes none. */
export function bestOf<Offer extends string>(
  accept: string | undefined,
  offers: readonly [Offer, ...Offer[]],
): Offer | undefined {
  if (accept === undefined || accept === '' || accept === '*/*') return offers[0];
  const key = `${offers.join(' ')}\n${accept}`;
  let chosen = remembered.get(key) as Offer | undefined;
  if (chosen === undefined && !remembered.has(key)) {
    chosen = choose(readAccept(accept), offers);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, chosen);
  }
  return chosen;
}

function readAccept(accept: string): AcceptedRange[] {
  const ranges: AcceptedRange[] = [];
  for (let start = 0; start < accept.length; ) {
    const { type, parameters, index } = parse(accept, { comma: true, start });
    ranges.push({ type, quality: parameters.q === undefined ? 1 : Number(parameters.q) || 0 });
    start = index + 1;
  }
  return ranges;
}

function choose<Offer extends string>(ranges: AcceptedRange[], offers: readonly Offer[]): Offer | undefined {
  let best: Offer | undefined;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > bestQuality) {
      best = offer;
      bestQuality = quality;
    }
  }
  return best;
}

/** The most exact range that names the offer decides (RFC 9110, 12.5.1). */
function qualityOf(offer: string, ranges: AcceptedRange[]): number {
  const [group] = offer.split('/');
  for (const wanted of [offer, `${group}/*`, '*/*']) {
    const range = ranges.find(({ type }) => type === wanted);
    if (range) return range.quality;
  }
  return 0;
}
