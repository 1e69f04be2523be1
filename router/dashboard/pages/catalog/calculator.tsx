/** What a task costs: so many requests, each of so many tokens. */
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { shownUsd } from '../../format/usd.ts';
import { TextField } from '../../parts/form/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { costOf, countIn, type Task } from './cost.ts';
import type { PricedModel } from './order.ts';

const FIELDS = {
  prompt: 'Prompt tokens',
  cached: 'Cached prompt tokens',
  completion: 'Completion tokens',
  requests: 'Requests',
} as const satisfies Record<keyof Task, string>;
const NAMES = Object.keys(FIELDS) as readonly (keyof Task)[];

export function Calculator({ model }: { model: PricedModel }) {
  const [texts, setTexts] = useState<Readonly<Record<keyof Task, string>>>({
    prompt: '1000',
    cached: '0',
    completion: '500',
    requests: '1000',
  });
  const counts = NAMES.map((name) => [name, countIn(texts[name])] as const);
  const wrong = counts.filter(([, count]) => count === null).map(([name]) => name);
  const task = Object.fromEntries(counts) as Readonly<Record<keyof Task, number | null>>;
  const cost = wrong.length === 0 ? costOf(model.billed, task as Task) : null;
  return (
    <Panel title="Cost of a task" description="Enter the tokens of one request.">
      <div className="grid gap-4">
        <div className="grid items-start gap-3 sm:grid-cols-2">
          {NAMES.map((name) => (
            <TextField
              key={name}
              label={FIELDS[name]}
              inputMode="numeric"
              autoComplete="off"
              param={name}
              error={wrong.includes(name) ? fault(name) : null}
              value={texts[name]}
              onChange={(text) => setTexts({ ...texts, [name]: text })}
            />
          ))}
        </div>
        <div role="status" aria-label="Cost" className="border-t pt-3">
          <dl className="grid grid-cols-2 gap-3">
            <Cost name="One request" amount={cost?.one} />
            <Cost name="All requests" amount={cost?.all} />
          </dl>
        </div>
        {cost?.isTooMuchCached === true && (
          <p className="text-xs text-warn">
            There cannot be more cached tokens than prompt tokens, so all prompt tokens count as
            cached.
          </p>
        )}
      </div>
    </Panel>
  );
}

function fault(param: string): ApiError {
  const message = 'Enter a whole number from 0 to 1,000,000,000.';
  return new ApiError(0, { message, code: 'invalid_value', param }, null);
}

function Cost({ name, amount }: { name: string; amount: string | undefined }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-lg font-semibold tabular-nums">
        {amount === undefined ? '–' : shownUsd(amount)}
      </dd>
    </div>
  );
}
