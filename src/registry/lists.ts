/** Lists by key. A list that is made anew for each thing that is added to it takes time by the square of its length. */

/** Adds to the list under this key, which begins with it. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, added: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [added]);
  else list.push(added);
}
