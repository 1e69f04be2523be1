import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Me, MeChange } from '../../../../shared/api/people.ts';
import { type Sent, send } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault, Field, Input } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { useMe } from '../../session.tsx';

export function ProfilePanel() {
  const me = useMe();
  const queries = useQueryClient();
  const { error, isPending, mutate } = useMutation({
    mutationFn: (body: Sent<typeof MeChange>) => send<Me>('PATCH', '/me', body),
    onSuccess: (changed) => {
      queries.setQueryData(meQuery.queryKey, changed);
      say('Name saved');
    },
  });
  return (
    <Panel title="Profile">
      <Form
        error={error}
        className="grid max-w-md gap-4"
        onSend={(text) => mutate({ name: text('name') })}
      >
        <Field label="Name" hint="Members of your organizations see this name." param="name">
          {(described) => (
            <div className="flex gap-2">
              <Input
                {...described}
                key={me.name}
                name="name"
                autoComplete="name"
                defaultValue={me.name}
                maxLength={100}
                required
              />
              <Button type="submit" busy={isPending}>
                Save
              </Button>
            </div>
          )}
        </Field>
        <Fault error={error} fields={['name']} />
      </Form>
    </Panel>
  );
}
