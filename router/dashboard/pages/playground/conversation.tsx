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
}>;

export function Conversation(props: ConversationProps) {
  const last = props.turns.at(-1);
  if (last) return <Turns {...props} last={last.id} />;
  return (
    <div className="grid flex-1 content-center">
      <Empty icon={<MessagesSquare />} title="Start a conversation">
        Send a message to the model. The conversation is not stored and is lost when you leave this
        page. Tokens are billed to your organization like those of any other request.
      </Empty>
    </div>
  );
}

function Turns({ turns, last, ...rest }: ConversationProps & Readonly<{ last: number }>) {
  const list = useRef<HTMLOListElement>(null);
  useFollow(list, last);
  return (
    <ol ref={list} aria-label="Conversation" className="grid flex-1 content-start gap-8">
      {turns.map((turn) => (
        <TurnView key={turn.id} turn={turn} isLast={turn.id === last} {...rest} />
      ))}
    </ol>
  );
}
