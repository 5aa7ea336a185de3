/** Words of our own in addresses; everything else in one is somebody's id, name or mistake. */
const WORDS = new Set(
  `samples accession validate history structureddata curationlinks curations submissions mapping result errors original
   events retry tokens webhooks deliveries redeliver files checklists template me auth token session password metrics
   health live ready problems docs openapi.json page`.split(/\s+/),
);

const MOST_STEPS = 5;

/** `/biosamples/samples/SAMR1/curationlinks` → `/samples/:id/curationlinks`: as few names as there are routes. */
export function routeOf(path: string): string {
  const steps = path.split('/').filter((step) => step !== '');
  const first = steps.findIndex((step) => WORDS.has(step));
  if (first < 0) return steps.length === 0 ? '/' : 'other';
  const shown = steps.slice(first, first + MOST_STEPS).map((step) => (WORDS.has(step) ? step : ':id'));
  return `/${shown[0] === 'page' ? 'page' : shown.join('/')}`;
}
