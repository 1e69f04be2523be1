import { useState } from 'react';
import { Button } from '../../parts/form/button.tsx';
import { Fault, Field, Input } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { useMe } from '../../session.tsx';
import { Section } from '../../parts/section.tsx';
import { useMeChange } from './use-me-change.ts';

export function ProfilePanel() {
  const me = useMe();
  // Null: nothing was typed since the name was last saved.
  const [wanted, setWanted] = useState<string | null>(null);
  const { error, isPending, mutate } = useMeChange('Name saved', (name: string) => ({ name }));
  const shown = wanted ?? me.name;
  const name = shown.trim();
  return (
    <Section title="Profile" description="Members of your organizations see your name.">
      <Panel>
        <Form
          error={error}
          className="grid max-w-md gap-4"
          onSend={() => mutate(name, { onSuccess: () => setWanted(null) })}
        >
          <Field label="Name" param="name">
            {(described) => (
              <div className="flex gap-2">
                <Input
                  {...described}
                  autoComplete="name"
                  value={shown}
                  maxLength={100}
                  onChange={({ target }) => setWanted(target.value)}
                />
                <Button type="submit" busy={isPending} disabled={name === '' || name === me.name}>
                  Save name
                </Button>
              </div>
            )}
          </Field>
          <Fault error={error} fields={['name']} />
        </Form>
      </Panel>
    </Section>
  );
}
