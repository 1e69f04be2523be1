/**
 * Steps that a prompt dictates to the simulated model, so that a coding agent can be led through a
 * session. They stand on one line of a user's message, as JSON:
 *
 *   Steps: [{"call": "read", "arguments": {"path": "a.txt"}}, {"say": "It is done."}]
 *
 * The model takes one step in each answer. The conversation tells which one is next: it has an
 * answer for each step that was taken. After the last step the model says that it is done.
 */
import { z } from 'zod';

const Steps = z.array(
  z.union([
    z.strictObject({ call: z.string(), arguments: z.record(z.string(), z.json()).default({}) }),
    z.strictObject({ say: z.string() }),
  ]),
);
export type Step = z.infer<typeof Steps>[number];

const LINE = /^.*?\bSteps: (\[.*\])/m;
const DONE: Step = { say: 'Done.' };

export type Said = Readonly<{ role: string; text: string }>;

/**
 * Returns the step that is next in a conversation, or null if nothing dictates steps. A call of a
 * tool that the request does not offer is no step: agents also ask for titles and summaries.
 */
export function nextStep(messages: readonly Said[], tools: readonly string[]): Step | null {
  const at = messages.findLastIndex(({ role, text }) => role === 'user' && LINE.test(text));
  const steps = stepsIn(messages[at]?.text ?? '');
  if (!steps) return null;
  const taken = messages.slice(at + 1).filter(({ role }) => role === 'assistant').length;
  const step = steps[taken] ?? DONE;
  return 'call' in step && !tools.includes(step.call) ? null : step;
}

function stepsIn(text: string): readonly Step[] | null {
  const line = LINE.exec(text)?.[1];
  if (line === undefined) return null;
  try {
    return Steps.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
