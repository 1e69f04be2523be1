import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Me, MeChange } from '../../../../shared/api/people.ts';
import { type Sent, send } from '../../api/client.ts';
import { meQuery, visitorQuery } from '../../api/me.ts';
import { say } from '../../parts/said.tsx';

/**
 * A mutation that changes the signed-in person. `bodyOf` returns what is sent for a choice, and
 * `said` is told once it is saved.
 */
export function useMeChange<Choice>(
  said: string,
  bodyOf: (choice: Choice) => Sent<typeof MeChange>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (choice: Choice) => send<Me>('PATCH', '/me', bodyOf(choice)),
    onSuccess: (changed) => {
      queries.setQueryData(meQuery.queryKey, changed);
      queries.setQueryData(visitorQuery.queryKey, changed);
      say(said);
    },
  });
}
