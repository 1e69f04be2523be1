import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Key } from '../../../../shared/api/keys.ts';
import { type CreatedKey, createKey, keysQuery } from '../../api/keys.ts';
import { creditQuery, ofOrganization } from '../../api/organization.ts';
import { latestQuery, latestRefusalQuery, latestSuccessQuery } from '../../api/overview.ts';
import { Button } from '../../parts/form/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { PlainCode } from '../../parts/code/code-block.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { Code, Money } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { useIsSuspended } from '../../suspension.ts';
import { SnippetTabs } from '../keys/snippet-tabs.tsx';
import { Arrival, isSuccess } from './arrival.tsx';

const AGAIN_MS = 2_000;

/** Guides a new organization to its first request. */
export function FirstSteps({ onDone }: { onDone: () => void }) {
  const organization = useOrganization();
  const keys = useQuery(keysQuery(organization));
  const success = useQuery({
    ...latestSuccessQuery(organization),
    refetchInterval: ({ state }) => (state.data ? false : AGAIN_MS),
  });
  const again = { refetchInterval: success.data ? false : AGAIN_MS } as const;
  const latest = useQuery({ ...latestQuery(organization), ...again });
  const refusal = useQuery({ ...latestRefusalQuery(organization), ...again });
  const [made, setMade] = useState<CreatedKey | null>(null);
  const hasKey = keys.data?.some(({ state }) => state === 'active') ?? false;
  // A request that failed is shown, too, but does not end the first steps.
  const request = success.data ?? latest.data ?? null;
  const isDone = request !== null && isSuccess(request);
  const mayCreate = useMay('keys');
  // A person who may not create keys may have one of somebody else.
  const isReady = made !== null || hasKey || !mayCreate;
  if (useIsSuspended()) {
    return (
      <Panel>
        <Empty icon={<Ban />} title="No requests yet">
          The organization is suspended, so none can be sent.
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel
      title="Send your first request"
      {...(!isDone && { description: <CreditLeft /> })}
      actions={<Playground />}
      flush
    >
      <ol className="divide-y divide-line border-t">
        <Step number={1} done={made !== null || hasKey} title="Create an API key">
          <KeyStep keys={keys.data ?? []} hasKey={hasKey} made={made} onMade={setMade} />
        </Step>
        <Step number={2} done={isDone} title="Send a request">
          {isReady && !isDone && (
            <PlainCode value>
              <SnippetTabs made={made} primary={made !== null} />
            </PlainCode>
          )}
        </Step>
        <Step number={3} done={isDone} title="See it arrive">
          {(isReady || request !== null) && (
            <Arrival
              request={request}
              refusal={refusal.data ?? null}
              error={success.error}
              onDone={onDone}
            />
          )}
        </Step>
      </ol>
    </Panel>
  );
}

function CreditLeft() {
  const { data } = useQuery(creditQuery(useOrganization()));
  if (data === undefined || /^(-|0$)/.test(data.available)) return null;
  return (
    <>
      You have <Money amount={data.available} balance /> in credit.
    </>
  );
}

function Playground() {
  const organization = useOrganization();
  if (!useMay('playground')) return null;
  return (
    <Button asChild size="small">
      <Link to="/$organization/playground" params={{ organization }} search={{}}>
        Playground
      </Link>
    </Button>
  );
}

type StepProps = Readonly<{
  number: number;
  done: boolean;
  title: string;
  /** False or null while it is not this step's turn. */
  children: ReactNode;
}>;

function Step({ number, done, title, children }: StepProps) {
  const isOpen = children !== false && children !== null;
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 px-5 py-5">
      <span
        className={cx(
          'grid size-6 place-items-center rounded-full text-xs font-semibold',
          done ? 'bg-good-soft text-good' : 'bg-sunken text-muted',
        )}
      >
        {done ? <Check className="size-3.5" aria-label="Done" /> : number}
      </span>
      <div className="grid min-w-0 gap-3 text-sm">
        <h3 className={cx('pt-0.5', isOpen ? 'font-semibold' : 'text-muted')}>{title}</h3>
        {children}
      </div>
    </li>
  );
}

type KeyStepProps = Readonly<{
  keys: readonly Key[];
  hasKey: boolean;
  made: CreatedKey | null;
  onMade: (key: CreatedKey) => void;
}>;

/** The name of a key that is created here with one click. It can be changed later. */
function nameBesides(keys: readonly Key[]): string {
  const names = new Set(keys.map(({ name }) => name));
  if (!names.has('First key')) return 'First key';
  let number = 2;
  while (names.has(`Key ${number}`)) number += 1;
  return `Key ${number}`;
}

function KeyStep({ keys, hasKey, made, onMade }: KeyStepProps) {
  const organization = useOrganization();
  const mayCreate = useMay('keys');
  const create = useMutation({
    mutationFn: () => createKey(organization, { name: nameBesides(keys) }),
    meta: { refetch: [ofOrganization(organization, 'keys')] },
    onSuccess: onMade,
  });
  if (!mayCreate) return <RoleNote permission="keys">You cannot create API keys.</RoleNote>;
  if (made !== null) {
    return (
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted" role="status">
        <Code>{made.label}</Code>
        <CopyButton text={made.key} what="the key" labelled />
        <span>You won't see it again.</span>
      </p>
    );
  }
  return (
    <>
      <div>
        <Button
          look={hasKey ? 'secondary' : 'primary'}
          busy={create.isPending}
          onClick={() => create.mutate()}
        >
          {hasKey ? 'Create another key' : 'Create key'}
        </Button>
      </div>
      <Fault error={create.error} />
    </>
  );
}
