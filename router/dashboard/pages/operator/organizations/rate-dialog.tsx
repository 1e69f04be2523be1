import { useMutation } from '@tanstack/react-query';
import type { Model } from '../../../../../shared/api/models.ts';
import type { NewRate, Rate } from '../../../../../shared/api/rates.ts';
import { type Sent, send } from '../../../api/client.ts';
import { ofOrganization } from '../../../api/organization.ts';
import { exactUsd, perMillion } from '../../../format/usd.ts';
import { TextField } from '../../../parts/form/field.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { perToken } from './entered.ts';

type PriceName = keyof Model['billed'];

const FIELDS: readonly Readonly<{ name: PriceName; label: string }>[] = [
  { name: 'prompt', label: 'Prompt' },
  { name: 'input_cache_read', label: 'Cached prompt' },
  { name: 'completion', label: 'Completion' },
];

type RateDialogProps = Readonly<{ organization: string; model: Model; onClose: () => void }>;

/**
 * Sets an agreed price. People agree on prices per million tokens; the API takes prices per token.
 */
export function RateDialog({ organization, model, onClose }: RateDialogProps) {
  const set = useMutation({
    mutationFn: async (text: (name: PriceName) => string) => {
      const rate: Sent<typeof NewRate> = {
        prompt: perToken(text('prompt'), 'prompt'),
        input_cache_read: perToken(text('input_cache_read'), 'input_cache_read'),
        completion: perToken(text('completion'), 'completion'),
      };
      return send<Rate>('PUT', `/organizations/${organization}/rates/${model.id}`, rate);
    },
    meta: { refetch: [ofOrganization(organization)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Set rate for ${model.name}`}
      description="USD per million tokens. Applies to new requests."
      action="Set rate"
      mutation={set}
      fields={FIELDS.map(({ name }) => name)}
      onSend={(text) => set.mutate(text)}
    >
      {FIELDS.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          hint={`List price ${exactUsd(perMillion(model.pricing[name]))}`}
          param={name}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={perMillion(model.billed[name])}
        />
      ))}
    </FormDialog>
  );
}
