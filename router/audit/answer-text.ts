/** The text of an answer, out of the bytes that its client reads. */
import { z } from 'zod';

const Part = z.object({
  content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(z.unknown()).nullish(),
});
const Choice = z.object({
  delta: Part.nullish(),
  message: Part.nullish(),
  text: z.string().nullish(),
});
const Event = z.object({ choices: z.array(Choice) });

/** Of a streamed answer, its events and its last delta or text; null where it calls tools, or is none. */
export function streamedText(events: string, last: string): string | null {
  let text = '';
  for (const event of events.split('\n\n')) {
    if (!event.startsWith('data: ')) continue;
    const parsed = Event.safeParse(parseJson(event.slice('data: '.length)));
    if (!parsed.success) return null;
    for (const choice of parsed.data.choices) {
      const more = choiceText(choice);
      if (more === null) return null;
      text += more;
    }
  }
  const end = parseJson(last);
  const rest = typeof end === 'string' ? end : partText(Part.safeParse(end).data);
  return rest === null ? null : text + rest;
}

/** Of an answer that is not streamed: the head of its one choice. */
export function wholeText(head: string): string | null {
  const parsed = Choice.safeParse(parseJson(`${head}}`));
  return parsed.success ? choiceText(parsed.data) : null;
}

function choiceText({ delta, message, text }: z.infer<typeof Choice>): string | null {
  const part = partText(delta ?? message ?? {});
  return part === null ? null : part + (text ?? '');
}

function partText(part: z.infer<typeof Part> | undefined): string | null {
  if (!part || part.tool_calls) return null;
  return (part.reasoning ?? '') + (part.content ?? '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
