/** The tool calls of an answer, and their results, which people type in. */
import { useState } from 'react';
import { Button } from '../../parts/form/button.tsx';
import { TextAreaField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import type { ToolCall } from './answer.ts';
import type { Step } from './turns.ts';

type ToolCallsProps = Readonly<{
  step: Step;
  /** Null unless this is the last answer and none is in flight. */
  onResults: ((results: readonly string[]) => void) | null;
}>;

export function ToolCalls({ step, onResults }: ToolCallsProps) {
  const { calls } = step.answer;
  const [typed, setTyped] = useState<readonly string[]>([]);
  if (calls.length === 0) return null;
  return (
    <Form
      className="grid gap-3"
      onSend={() => onResults?.(calls.map((_, index) => typed[index] ?? ''))}
    >
      {calls.map((call, index) => (
        <section key={call.id} className="grid gap-2 rounded-lg border px-3 py-2.5">
          <p className="text-xs text-muted">
            Called <span className="font-mono font-medium text-ink">{call.name}</span>
          </p>
          <pre
            tabIndex={0}
            aria-label={`Arguments of ${call.name}`}
            className="overflow-x-auto rounded-md bg-sunken p-2 font-mono text-xs leading-5"
          >
            {argumentsOf(call)}
          </pre>
          {step.results === null ? (
            onResults && (
              <TextAreaField
                label={`Result of ${call.name}`}
                rows={2}
                className="min-h-14! font-mono text-xs"
                placeholder="The output of the tool"
                value={typed[index] ?? ''}
                onChange={(text) =>
                  setTyped(calls.map((_, at) => (at === index ? text : (typed[at] ?? ''))))
                }
              />
            )
          ) : (
            <Result text={step.results[index] ?? ''} />
          )}
        </section>
      ))}
      {step.results === null && onResults && (
        <Button size="small" look="primary" type="submit" className="justify-self-start">
          Send {calls.length === 1 ? 'result' : 'results'}
        </Button>
      )}
    </Form>
  );
}

function Result({ text }: { text: string }) {
  return (
    <div className="grid gap-1">
      <p className="text-xs text-muted">Result</p>
      <p className="font-mono text-xs leading-5 break-words whitespace-pre-wrap">
        {text === '' ? 'Empty' : text}
      </p>
    </div>
  );
}

/** Formats arguments that are valid JSON, which models do not always write. */
function argumentsOf({ arguments: given }: ToolCall): string {
  try {
    return JSON.stringify(JSON.parse(given), null, 2);
  } catch {
    return given;
  }
}
