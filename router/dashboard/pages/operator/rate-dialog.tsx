import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import type { NewRate, Rate } from '../../../../shared/api/rates.ts';
import { type Sent, send } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { exactUsd, perMillion } from '../../format/usd.ts';
import { Button } from '../../parts/button.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault, Field, Input } from '../../parts/field.tsx';
import { perToken } from './entered.ts';

type PriceName = keyof Model['billed'];

const FIELDS: readonly Readonly<{ name: PriceName; label: string }>[] = [
  { name: 'prompt', label: 'Input' },
  { name: 'input_cache_read', label: 'Cached input' },
  { name: 'completion', label: 'Output' },
];

type RateDialogProps = Readonly<{ organization: string; model: Model; onClose: () => void }>;

/**
 * Sets an agreed price. People agree on prices per million tokens; the API takes prices per token.
 */
export function RateDialog({ organization, model, onClose }: RateDialogProps) {
  const [texts, setTexts] = useState<Readonly<Record<PriceName, string>>>({
    prompt: perMillion(model.billed.prompt),
    input_cache_read: perMillion(model.billed.input_cache_read),
    completion: perMillion(model.billed.completion),
  });
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: async () => {
      const rate: Sent<typeof NewRate> = {
        prompt: perToken(texts.prompt, 'prompt'),
        input_cache_read: perToken(texts.input_cache_read, 'input_cache_read'),
        completion: perToken(texts.completion, 'completion'),
      };
      return send<Rate>('PUT', `/organizations/${organization}/rates/${model.id}`, rate);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ofOrganization(organization) });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Set rate for ${model.name}`}
      description="USD per million tokens. Applies to new requests."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate();
        }}
        className="grid gap-4"
      >
        {FIELDS.map(({ name, label }) => (
          <Field
            key={name}
            label={label}
            hint={`List price ${exactUsd(perMillion(model.pricing[name]))}`}
            error={set.error}
            param={name}
          >
            {(described) => (
              <Input
                {...described}
                inputMode="decimal"
                autoComplete="off"
                value={texts[name]}
                onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
              />
            )}
          </Field>
        ))}
        <Fault error={set.error} fields={FIELDS.map(({ name }) => name)} />
        <footer className="flex justify-end gap-2">
          <Cancel />
          <Button type="submit" look="primary" busy={set.isPending}>
            Set rate
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
