/** What is known of a host: from its agent, or as routers have recorded it last. */
import type { Agent, LastKnown } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { capitalized } from '../../../../../shared/capitalized.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { Fact, Facts } from '../../../parts/page.tsx';
import { Id } from '../../../parts/id.tsx';
import { Code, When } from '../../../parts/shown.tsx';
import { linkEndInWords } from './host-event-words.ts';
import { lastSeen } from './host-status.ts';
import { StandingFacts } from './standing-facts.tsx';
import { causeOf } from './unready-workers.ts';

type HostFactsProps = Readonly<{
  agent: Agent;
  workers: readonly WorkerEntry[];
  /** Undefined while it is loading. */
  known: LastKnown | undefined;
}>;

export function HostFacts({ agent, workers, known }: HostFactsProps) {
  // The page says above why a worker is not ready, which is a note of its agent, too.
  const notes = workers.flatMap((worker) =>
    worker.notes
      .filter((note) => capitalized(note) !== causeOf(worker))
      .map((note) => ({ name: worker.name, note })),
  );
  return (
    <div className="grid items-start gap-x-8 gap-y-2.5 lg:grid-cols-2">
      <Facts>
        <Fact name="ID">
          <Id id={agent.id} what="the host ID" />
        </Fact>
        {/* The page says above why the whole host is drained. */}
        <StandingFacts agent={agent.id} workers={workers} toldDrain={known?.drained?.at} />
        <Fact name="Region">{REGION_NAMES[agent.region]}</Fact>
        <Fact name="Agent">
          <Version live={workers[0]?.agent_version} known={known} />
        </Fact>
        {known?.started && (
          <Fact name="Agent started">
            <When at={known.started} />
          </Fact>
        )}
      </Facts>
      <Facts>
        <Fact name="Enrolled">
          <When at={agent.created} />
        </Fact>
        <Fact name="Last seen">
          <When at={lastSeen(agent)} relative />
        </Fact>
        {!agent.connected && known?.left && (
          <Fact name="Last connection">
            Ended <When at={known.left.at} precision="seconds" />:{' '}
            {linkEndInWords(known.left.reason)}
          </Fact>
        )}
        {workers.length === 0 && known !== undefined && known.engines.length > 0 && (
          <Fact name="Last engines">
            <Engines engines={known.engines} />
          </Fact>
        )}
        {notes.length > 0 && (
          <Fact name="Notes from its agent">
            <ul className="grid gap-1">
              {notes.map(({ name, note }) => (
                <li key={`${name} ${note}`}>
                  <Code>{name}</Code> {note}
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
    </div>
  );
}

type VersionProps = Readonly<{ live: string | undefined; known: LastKnown | undefined }>;

function Version({ live, known }: VersionProps) {
  if (live !== undefined) return `Penstock ${live}`;
  if (!known?.version) return <span className="text-muted">Unknown</span>;
  return (
    <>
      Penstock {known.version} <span className="text-muted">when it was started last</span>
    </>
  );
}

function Engines({ engines }: Pick<LastKnown, 'engines'>) {
  return (
    <ul className="grid gap-1">
      {engines.map(({ worker, engine, found }) => (
        <li key={worker}>
          <Code>{worker}</Code> {engine}{' '}
          <span className="text-muted">
            found <When at={found} relative />
          </span>
        </li>
      ))}
    </ul>
  );
}
