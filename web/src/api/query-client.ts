import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './request.js';

/**
 * What the server refused is not asked again; a server that is away is, three times, then the view offers the retry.
 * Whether the machine is on the internet is not asked: the service may stand on the same machine, and a request that
 * waits for the internet says nothing.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: (failures, error) => !(error instanceof ApiProblem && error.status < 500) && failures < 3,
        retryDelay: (failures) => Math.min(4000, 500 * 2 ** failures),
        staleTime: 5_000,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
