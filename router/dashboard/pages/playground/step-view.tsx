/** One answer: its reasoning, text and tool calls, how it ended, and its figures. */
import { Link } from '@tanstack/react-router';
import { Code as CodeIcon, RotateCcw, Text } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { useAwaitedWelcome } from '../../awaited-welcome.ts';
import { useOrganization } from '../../session.tsx';
import { ResendConfirmation } from '../people/resend-confirmation.tsx';
import { AnswerFacts } from './answer-facts.tsx';
import { type Answer, isUnderWay } from './answer.ts';
import { AnswerText } from './answer-text.tsx';
import { endingOf } from './figures.ts';
import { Thoughts } from './thoughts.tsx';
import { ToolCalls } from './tool-calls.tsx';
import type { Step } from './turns.ts';

type StepProps = Readonly<{
  step: Step;
  /** Undefined when the model is no longer in the catalog. */
  model: Model | undefined;
  /** Null, like `onResults`, unless this is the last answer and none is in flight. */
  onRetry: (() => void) | null;
  onResults: ((results: readonly string[]) => void) | null;
  onCode: () => void;
}>;

export function StepView({ step, model, onRetry, onResults, onCode }: StepProps) {
  const { answer, text, leftOut } = step;
  const answering = isUnderWay(answer);
  const [isPlain, setIsPlain] = useState(false);
  return (
    <article
      aria-label={`Response from ${model?.name ?? step.model}`}
      aria-busy={answering}
      className="grid min-w-0 content-start gap-2"
    >
      {leftOut.length > 0 && (
        <p className="text-xs text-muted">
          Not sent, because this model does not support it: {leftOut.join(', ')}.
        </p>
      )}
      <Thoughts step={step} />
      <AnswerText
        text={text}
        language={step.body.response_format === undefined ? null : 'json'}
        isEnded={!answering}
        isPlain={isPlain}
        className="text-sm leading-6"
      />
      <ToolCalls step={step} onResults={onResults} />
      <Problem answer={answer} />
      <p role="status" className={answering ? 'text-xs text-muted' : 'sr-only'}>
        {endingOf(answer) ?? DOING[answer.part ?? 'nothing']}
      </p>
      {!answering && (
        <footer className="grid gap-1">
          <AnswerFacts answer={answer} model={model} />
          <div className="-ml-1.5 flex gap-0.5">
            {!text.isEmpty && <CopyButton text={text.text} what="the response" />}
            {onRetry && (
              <Tool label="Retry" onClick={onRetry}>
                <RotateCcw />
              </Tool>
            )}
            {!text.isEmpty && (
              <Tool
                label={isPlain ? 'Show as Markdown' : 'Show as plain text'}
                onClick={() => setIsPlain(!isPlain)}
              >
                <Text />
              </Tool>
            )}
            <Tool label="View code of this request" onClick={onCode}>
              <CodeIcon />
            </Tool>
          </div>
        </footer>
      )}
    </article>
  );
}

const DOING = {
  nothing: 'Waiting for the first token…',
  reasoning: 'Thinking…',
  text: 'Writing…',
  tools: 'Calling a tool…',
} as const;

function Tool(props: Readonly<{ label: string; onClick: () => void; children: ReactNode }>) {
  const { label, onClick, children } = props;
  return (
    <Button look="ghost" size="small" square aria-label={label} title={label} onClick={onClick}>
      {children}
    </Button>
  );
}

function Problem({ answer: { phase, fault, requestId } }: { answer: Answer }) {
  const organization = useOrganization();
  const welcome = useAwaitedWelcome();
  if (phase === 'cut') {
    return (
      <Bad>
        The response was cut off before its end. Try again.
        {requestId !== null && <RequestLink id={requestId} />}
      </Bad>
    );
  }
  if (phase !== 'failed' || fault === null) return null;
  const isUnpaid = fault.status === 402;
  return (
    <Bad>
      {isUnpaid && welcome !== null ? (
        <>
          The organization has no credit yet. Open the link in the email that we sent you to get
          your free credit, then retry.
          <div className="mt-2">
            <ResendConfirmation />
          </div>
        </>
      ) : isUnpaid ? (
        <>
          The credit does not cover this request.{' '}
          <Link to="/$organization/billing" params={{ organization }} className="underline">
            Add credit
          </Link>
          , then retry.
        </>
      ) : (
        fault.message
      )}
      {requestId !== null && <RequestLink id={requestId} />}
    </Bad>
  );
}

function RequestLink({ id }: { id: string }) {
  const organization = useOrganization();
  return (
    <Link
      to={PAGES.request.path}
      params={{ organization, request: id }}
      className="mt-0.5 block font-mono text-xs underline"
    >
      {id}
    </Link>
  );
}

function Bad({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm break-words text-bad">
      {children}
    </div>
  );
}
