import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './request.js';

/** What the server refused is not asked again; a server that is away is, three times, then the view offers the retry. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => !(error instanceof ApiProblem && error.status < 500) && failures < 3,
        retryDelay: (failures) => Math.min(4000, 500 * 2 ** failures),
        staleTime: 5_000,
      },
      mutations: { retry: false },
    },
  });
}
