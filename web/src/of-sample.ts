/** The address of one sample that crawlers know, `?sample=SAMR1`, becomes the view of that sample before anything is shown. */
export function leadToSample(place: Location, history: History): void {
  const accession = new URLSearchParams(place.search).get('sample');
  if (accession === null || place.hash !== '') return;
  history.replaceState(null, '', `${place.pathname}#/samples/${encodeURIComponent(accession)}`);
}
