import type { Model } from '../../../../shared/api/models.ts';
import { cx } from '../../parts/class-names.ts';
import type { Place } from './chat.ts';
import { columnsFor } from './columns.ts';
import { PromptView } from './prompt-view.tsx';
import { StepView } from './step-view.tsx';
import { type Lane, LANES, type Prompt, type Step, type Turn } from './turns.ts';

/** The actions on a turn, which the page carries out. */
export type TurnActions = Readonly<{
  edit: (turn: Turn, prompt: Prompt) => void;
  retry: (place: Place) => void;
  answerTools: (place: Place, results: readonly string[]) => void;
  showCode: (step: Step) => void;
}>;

type TurnProps = Readonly<{
  turn: Turn;
  /** The lanes that are shown. */
  lanes: readonly Lane[];
  models: readonly Model[];
  isLast: boolean;
  answering: boolean;
  actions: TurnActions;
}>;

/** A prompt, and below it the answers of the models, side by side. */
export function TurnView({ turn, lanes, models, isLast, answering, actions }: TurnProps) {
  const answered = LANES.filter((lane) => lanes.includes(lane) && turn.steps[lane] !== undefined);
  const mayGoOn = isLast && !answering;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PromptView
        prompt={turn.prompt}
        onSend={answering ? null : (prompt) => actions.edit(turn, prompt)}
      />
      <div className={cx('grid gap-x-6 gap-y-4', columnsFor(answered.length))}>
        {answered.map((lane) => {
          const steps = turn.steps[lane] ?? [];
          const place = { turn: turn.id, lane };
          const name = nameOf(models, steps.at(-1)?.model ?? '');
          return (
            <div key={lane} className="grid min-w-0 content-start gap-4">
              <p className="text-xs font-medium text-muted">{name}</p>
              {steps.map((step, index) => {
                const goesOn = mayGoOn && index === steps.length - 1;
                return (
                  <StepView
                    key={step.id}
                    step={step}
                    model={models.find(({ id }) => id === step.model)}
                    onRetry={goesOn ? () => actions.retry(place) : null}
                    onResults={goesOn ? (results) => actions.answerTools(place, results) : null}
                    onCode={() => actions.showCode(step)}
                  />
                );
              })}
            </div>
          );
        })}
      </div>
    </li>
  );
}

function nameOf(models: readonly Model[], id: string): string {
  return models.find((model) => model.id === id)?.name ?? id;
}
