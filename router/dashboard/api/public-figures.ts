/** The models and their state, which visitors may see unless the operator hides them. */
import { queryOptions } from '@tanstack/react-query';
import type { ModelHistory, PublicModels, Status } from '../../../shared/api/public-figures.ts';
import type { FigureSpan } from '../../../shared/public-figures.ts';
import { get } from './client.ts';

/** The API makes the answers anew once in ten seconds. */
const AGAIN = { staleTime: 10_000, refetchInterval: 20_000 };

export const publicModelsQuery = queryOptions({
  queryKey: ['public', 'models'],
  queryFn: ({ signal }) => get<PublicModels>('/models', {}, signal),
  ...AGAIN,
});

export const statusQuery = queryOptions({
  queryKey: ['public', 'status'],
  queryFn: ({ signal }) => get<Status>('/status', {}, signal),
  ...AGAIN,
});

export const modelHistoryQuery = (id: string, span: FigureSpan) =>
  queryOptions({
    queryKey: ['public', 'models', id, span],
    queryFn: ({ signal }) => get<ModelHistory>(`/models/${id}/history`, { span }, signal),
    // The previous chart stays visible until the next one has loaded.
    placeholderData: (before) => (before?.model === id ? before : undefined),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

/** Whether people who are not signed in may see the models. The router writes it into the page. */
export function areModelsPublic(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name=models]')?.content !== 'signed-in';
}
