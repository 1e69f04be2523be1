import { MessagesSquare } from 'lucide-react';
import type { Model } from '../../../../shared/api/models.ts';
import { Empty } from '../../parts/states.tsx';
import { Follow } from './follow.tsx';
import { type TurnActions, TurnView } from './turn-view.tsx';
import type { Lane, Turn } from './turns.ts';

type ConversationProps = Readonly<{
  turns: readonly Turn[];
  lanes: readonly Lane[];
  models: readonly Model[];
  answering: boolean;
  follow: () => void;
  actions: TurnActions;
}>;

export function Conversation({
  turns,
  lanes,
  models,
  answering,
  follow,
  actions,
}: ConversationProps) {
  if (turns.length === 0) {
    return (
      <div className="grid flex-1 content-center">
        <Empty icon={<MessagesSquare />} title="Ask a model something">
          The conversation stays in this page and is gone when you leave it. Tokens are billed to
          your organization as those of any other request.
        </Empty>
      </div>
    );
  }
  return (
    <Follow value={follow}>
      <ol aria-label="Conversation" className="grid flex-1 content-start gap-8">
        {turns.map((turn) => (
          <TurnView
            key={turn.id}
            turn={turn}
            lanes={lanes}
            models={models}
            isLast={turn.id === turns.at(-1)?.id}
            answering={answering}
            actions={actions}
          />
        ))}
      </ol>
    </Follow>
  );
}
