/**
 * The messages between the processes of one router: the parent, which clients and agents never talk
 * to, and its children, which serve them.
 */
import type { OrganizationId } from '../../shared/ids.ts';
import type { MetricsPage } from '../../shared/metrics/page.ts';
import type { SqliteThreads } from '../store/sqlite/open.ts';
import type { Request } from '../store/threads/messages.ts';
import type { SettlingReply } from '../store/threads/pending-calls.ts';

/** What a child reports once it listens: `penstock up` gets the same. */
export type Ready = Readonly<Record<string, string>>;

/** What the parent asks a child, and the answers. */
export type Answers = Readonly<{
  metrics: MetricsPage;
  /** The number of ready workers that the child has links to. */
  readyWorkers: number;
}>;
export type Question = keyof Answers;

export type FromChild =
  | Readonly<{ kind: 'ready'; ready: Ready }>
  | Readonly<{ kind: 'answer'; id: number; answer: Answers[Question] }>
  /** For a reading thread of the store. Calls of the writer have a connection of their own. */
  | Readonly<{ kind: 'store'; thread: Exclude<keyof SqliteThreads, 'writer'>; request: Request }>
  | Readonly<{ kind: 'announce'; organization: OrganizationId }>;

export type FromParent =
  | Readonly<{ kind: 'ask'; id: number; question: Question }>
  /** From now on the child may handle clients' requests. */
  | Readonly<{ kind: 'begin' }>
  /** The ids of the children that take connections: one has come or gone. */
  | Readonly<{ kind: 'serving'; processes: readonly number[] }>
  /** The child reads the configuration, the catalog and the certificates again. */
  | Readonly<{ kind: 'reload' }>
  /** The child has been replaced: it takes no new connections, finishes its work and ends. */
  | Readonly<{ kind: 'retire' }>
  | Readonly<{ kind: 'store'; reply: Exclude<SettlingReply, { kind: 'part' }> }>
  | Readonly<{ kind: 'announce'; organization: OrganizationId }>;
