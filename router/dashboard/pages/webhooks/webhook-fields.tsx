import { useId } from 'react';
import type { WebhookEventType } from '../../../../shared/api/webhooks.ts';
import { TextField } from '../../parts/form/field.tsx';
import { EVENT_TYPES, EVENTS } from './words.ts';

export type WebhookDraft = Readonly<{ url: string; events: readonly WebhookEventType[] }>;

export const FIELDS = ['url'] as const;

type WebhookFieldsProps = Readonly<{
  draft: WebhookDraft;
  onChange: (draft: WebhookDraft) => void;
}>;

/** The fields of an endpoint: its URL and its events. */
export function WebhookFields({ draft, onChange }: WebhookFieldsProps) {
  return (
    <>
      <TextField
        label="URL"
        param="url"
        type="url"
        autoComplete="off"
        placeholder="https://example.com/webhooks"
        hint="Your server. Events are sent there as signed POST requests."
        value={draft.url}
        onChange={(url) => onChange({ ...draft, url })}
      />
      <EventChoice chosen={draft.events} onChange={(events) => onChange({ ...draft, events })} />
    </>
  );
}

type EventChoiceProps = Readonly<{
  chosen: readonly WebhookEventType[];
  onChange: (chosen: readonly WebhookEventType[]) => void;
}>;

function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const id = useId();
  const toggle = (type: WebhookEventType) =>
    onChange(EVENT_TYPES.filter((one) => chosen.includes(one) !== (one === type)));
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Events</legend>
      <div className="divide-y divide-line overflow-hidden rounded-lg border">
        {EVENT_TYPES.map((type) => (
          <label
            key={type}
            className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 px-3 py-2.5 hover:bg-hover has-checked:bg-sunken"
          >
            <input
              type="checkbox"
              checked={chosen.includes(type)}
              onChange={() => toggle(type)}
              aria-describedby={`${id}-${type}`}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="font-mono text-sm font-medium">{type}</span>
            <span id={`${id}-${type}`} className="col-start-2 text-xs text-muted">
              {EVENTS[type]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
