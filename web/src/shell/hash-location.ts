/**
 * The address of a view stands behind `#`, its query with it: `#/samples?text=liver`. So a search, its filters and its
 * columns can be linked to, survive a reload, and come back with Back.
 */
import { useSyncExternalStore } from 'react';
import type { BaseLocationHook, BaseSearchHook } from 'wouter';
import { addressChanged } from '../show/kept-places.js';

let byLink = false;
// Before the views hear of it: what they show is to be remembered first.
for (const event of ['hashchange', 'popstate']) addEventListener(event, () => addressChanged(byLink));

const subscribe = (changed: () => void): (() => void) => {
  addEventListener('hashchange', changed);
  addEventListener('popstate', changed);
  return () => {
    removeEventListener('hashchange', changed);
    removeEventListener('popstate', changed);
  };
};

const present = (): string => location.hash.replace(/^#?\/?/, '');
const pathOf = (): string => `/${present().split('?')[0]}`;
const queryOf = (): string => present().split('?').slice(1).join('?');

interface Going {
  replace?: boolean;
  state?: unknown;
}

/** Goes to `/samples?text=liver`; without a query the view is opened without one. */
function go(to: string, { replace = false, state = null }: Going = {}): void {
  const oldURL = location.href;
  const url = new URL(oldURL);
  url.hash = to.startsWith('/') ? to : `/${to}`;
  // As the browser does with a link to where one is: Back leads to the view before.
  const stays = url.href === oldURL;
  history[replace || stays ? 'replaceState' : 'pushState'](state, '', url);
  byLink = true;
  dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: url.href }));
  byLink = false;
}

const useHashPath: BaseLocationHook = () => [useSyncExternalStore(subscribe, pathOf), go];
const useHashQuery: BaseSearchHook = () => useSyncExternalStore(subscribe, queryOf);

/** For wouter's Router; its `useSearchParams` then reads and writes the query of the view. */
export const hashLocation = { hook: useHashPath, searchHook: useHashQuery, hrefs: (href: string) => `#${href}` };
