import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type CreatedKey, keysQuery } from '../../api/keys.ts';
import { latestQuery, latestRefusalQuery } from '../../api/overview.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Panel } from '../../parts/page.tsx';
import { Code } from '../../parts/shown.tsx';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { CreateKeyDialog } from '../keys/create-key-dialog.tsx';
import { SnippetTabs } from '../keys/snippet-tabs.tsx';
import { Arrival } from './arrival.tsx';

const AGAIN_MS = 2_000;

/** Guides a new organization to its first request. */
export function FirstSteps({ onDone }: { onDone: () => void }) {
  const organization = useOrganization();
  const keys = useQuery(keysQuery(organization));
  const latest = useQuery({
    ...latestQuery(organization),
    refetchInterval: ({ state }) => (state.data ? false : AGAIN_MS),
  });
  const refusal = useQuery({
    ...latestRefusalQuery(organization),
    refetchInterval: latest.data ? false : AGAIN_MS,
  });
  const [made, setMade] = useState<CreatedKey | null>(null);
  const hasKey = keys.data?.some(({ state }) => state === 'active') ?? false;
  const request = latest.data ?? null;
  const mayPlay = useMay('playground');
  return (
    <Panel title="Send your first request" flush>
      <ol className="divide-y divide-line border-t">
        <Step number={1} done={hasKey} title="Create an API key">
          <KeyStep hasKey={hasKey} made={made} onMade={setMade} />
        </Step>
        <Step number={2} done={request !== null} title="Send a request">
          <p className="text-muted">
            Paste this into a terminal, or use any OpenAI client with this base URL.
            {mayPlay && (
              <>
                {' '}
                Or send one from the{' '}
                <Link
                  to="/$organization/playground"
                  params={{ organization }}
                  search={{}}
                  className="text-accent underline underline-offset-2"
                >
                  playground
                </Link>
                .
              </>
            )}
          </p>
          <SnippetTabs made={made} />
        </Step>
        <Step number={3} done={request !== null} title="See it arrive">
          <Arrival
            request={request}
            refusal={refusal.data ?? null}
            error={latest.error}
            onDone={onDone}
          />
        </Step>
      </ol>
    </Panel>
  );
}

type StepProps = Readonly<{
  number: number;
  done: boolean;
  title: string;
  children: ReactNode;
}>;

function Step({ number, done, title, children }: StepProps) {
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
        <h3 className="pt-0.5 font-semibold">{title}</h3>
        {children}
      </div>
    </li>
  );
}

type KeyStepProps = Readonly<{
  hasKey: boolean;
  made: CreatedKey | null;
  onMade: (key: CreatedKey) => void;
}>;

function KeyStep({ hasKey, made, onMade }: KeyStepProps) {
  const [creating, setCreating] = useState(false);
  const mayCreate = useMay('keys');
  return (
    <>
      <p className="text-muted">
        {made !== null ? (
          <>
            <Code>{made.label}</Code> is filled in below until you leave this page.
          </>
        ) : hasKey ? (
          'You already have a key. It was shown only once, when it was created.'
        ) : (
          "Your apps call the API with this key. You'll see the key only once."
        )}
      </p>
      <RoleNote permission="keys">You cannot create API keys.</RoleNote>
      {mayCreate && (
        <div>
          <Button look={hasKey ? 'secondary' : 'primary'} onClick={() => setCreating(true)}>
            {hasKey ? 'Create another key' : 'Create key'}
          </Button>
        </div>
      )}
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} onCreated={onMade} />}
    </>
  );
}
