import { MessagesSquare } from 'lucide-react';
import { useRef } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { Empty } from '../../parts/states.tsx';
import { type TurnActions, TurnView } from './turn-view.tsx';
import type { Lane, Turn } from './turns.ts';
import { useFollow } from './use-follow.ts';

type ConversationProps = Readonly<{
  turns: readonly Turn[];
  lanes: readonly Lane[];
  models: readonly Model[];
  answering: boolean;
  actions: TurnActions;
  /** Puts an example prompt into the composer. */
  onExample: (text: string) => void;
  /** Hears whether the reader is at the end of the conversation. */
  onEnd: (isAtEnd: boolean) => void;
}>;

const EXAMPLES = [
  { title: 'Write code', text: 'Write a Python function that parses an ISO 8601 duration.' },
  { title: 'Make a table', text: 'Show how TCP, UDP and QUIC differ, in a table.' },
  { title: 'Explain', text: 'Derive the quadratic formula, step by step.' },
  { title: 'Plan', text: 'Plan the migration of a monolith to services as a checklist.' },
] as const;

export function Conversation(props: ConversationProps) {
  const last = props.turns.at(-1);
  if (last) return <Turns {...props} last={last.id} />;
  return (
    <div className="grid flex-1 content-center gap-2">
      <Empty icon={<MessagesSquare />} title="Start a conversation">
        Chats stay in this browser unless you save them to your account. Tokens are billed to your
        organization like those of any other request.
      </Empty>
      <ul aria-label="Example prompts" className="grid gap-2 sm:grid-cols-2">
        {EXAMPLES.map(({ title, text }) => (
          <li key={title}>
            <button
              type="button"
              onClick={() => props.onExample(text)}
              className="grid h-full w-full content-start gap-0.5 rounded-lg border bg-panel px-3 py-2.5 text-left text-sm shadow-panel hover:bg-hover"
            >
              <span className="font-medium">{title}</span>
              <span className="text-muted">{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Turns(props: ConversationProps & Readonly<{ last: number }>) {
  const { turns, last, lanes, models, answering, actions, onEnd } = props;
  const list = useRef<HTMLOListElement>(null);
  useFollow({ list, turn: last, onEnd });
  return (
    <ol ref={list} aria-label="Conversation" className="grid flex-1 content-start gap-8">
      {turns.map((turn) => (
        <TurnView
          key={turn.id}
          turn={turn}
          isLast={turn.id === last}
          {...{ lanes, models, answering, actions }}
        />
      ))}
    </ol>
  );
}
