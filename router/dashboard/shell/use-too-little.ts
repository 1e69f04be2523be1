/** Whether the credit of an organization covers no request. */
import { useQuery } from '@tanstack/react-query';
import { creditQuery, modelsQuery } from '../api/organization.ts';
import { latestShortfallsQuery } from '../api/refusals.ts';
import { coversNone, mayBeTooLittle } from './too-little.ts';

const AGAIN_MS = 30_000;
const NONE = { available: '0', held: '0' };

type TooLittle = Readonly<{
  isTooLittle: boolean;
  /** Whether something that it depends on is being read for the first time. */
  isPending: boolean;
}>;

/** It is too little for the smallest request, or the latest requests were all refused for it. */
export function useTooLittle(organization: string): TooLittle {
  const { available, held } = useQuery(creditQuery(organization)).data ?? NONE;
  const enabled = mayBeTooLittle(available, held);
  const models = useQuery({ ...modelsQuery(organization), enabled });
  const shortfalls = useQuery({
    ...latestShortfallsQuery(organization),
    enabled,
    refetchInterval: AGAIN_MS,
  });
  return {
    isTooLittle:
      enabled &&
      (coversNone(available, models.data?.data ?? []) || shortfalls.data?.areAll === true),
    isPending: enabled && (models.isPending || shortfalls.isPending),
  };
}
