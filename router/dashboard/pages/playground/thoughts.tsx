/** The reasoning of an answer: open while the model reasons, and collapsed afterwards. */
import { useEffect, useState } from 'react';
import { every, monotonic } from '../../clock.ts';
import { AnswerText } from './answer-text.tsx';
import { isUnderWay } from './answer.ts';
import type { Step } from './turns.ts';

const TICK_MS = 100;

export function Thoughts({ step: { answer, thoughts } }: { step: Step }) {
  /** Null until the person has opened or closed it. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (thoughts.isEmpty && answer.part !== 'reasoning') return null;
  const isThinking = isUnderWay(answer) && answer.thinkingSince !== null;
  const isOpen = chosen ?? isThinking;
  return (
    <details open={isOpen} className="rounded-lg border bg-sunken/60 text-xs text-muted">
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <summary
        className="px-3 py-1.5 font-medium tabular-nums"
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        Reasoning
        {isThinking && answer.thinkingSince !== null ? (
          <Running since={answer.thinkingSince} before={answer.thoughtMs} />
        ) : (
          answer.thoughtMs > 0 && (
            <span className="font-normal"> · {seconds(answer.thoughtMs)}</span>
          )
        )}
      </summary>
      <AnswerText
        text={thoughts}
        language={null}
        isEnded={!isThinking}
        isPlain={false}
        className="border-t px-3 py-2 leading-5"
      />
    </details>
  );
}

/** The time since reasoning began. It is hidden from screen readers, which would repeat it. */
function Running({ since, before }: Readonly<{ since: number; before: number }>) {
  const [time, setTime] = useState(monotonic);
  useEffect(() => every(TICK_MS, () => setTime(monotonic())), []);
  return (
    <span aria-hidden className="font-normal">
      {' '}
      · {seconds(before + Math.max(0, time - since))}
    </span>
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
