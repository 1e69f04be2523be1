import { Button } from '../../parts/form/button.tsx';
import { Fault, Field, Input } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { useMe } from '../../session.tsx';
import { useMeChange } from './use-me-change.ts';

export function ProfilePanel() {
  const me = useMe();
  const { error, isPending, mutate } = useMeChange('Name saved', (name: string) => ({ name }));
  return (
    <Panel title="Profile">
      <Form error={error} className="grid max-w-md gap-4" onSend={(text) => mutate(text('name'))}>
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
