import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../parts/form/button.tsx';
import { TextArea } from '../../parts/form/field.tsx';
import { focusOn } from '../../parts/form/focus.ts';
import { Form } from '../../parts/form/form.tsx';
import { Attachments } from './attachments.tsx';
import { isEmpty } from './composer.tsx';
import { PromptText } from './prompt-text.tsx';
import type { Prompt } from './turns.ts';

type PromptProps = Readonly<{
  prompt: Prompt;
  /** Null while the prompt cannot be sent again. */
  onSend: ((prompt: Prompt) => void) | null;
}>;

/** A prompt. Editing sends it again, in place of this turn and all turns after it. */
export function PromptView({ prompt, onSend }: PromptProps) {
  const [editing, setEditing] = useState<Prompt | null>(null);
  if (editing === null) {
    return (
      <div className="group flex max-w-full items-start gap-2 justify-self-end">
        <Button
          look="ghost"
          size="small"
          square
          aria-label="Edit message"
          title="Edit message"
          disabled={onSend === null}
          onClick={() => setEditing(prompt)}
        >
          <Pencil />
        </Button>
        <div className="grid max-w-2xl min-w-0 grid-cols-[minmax(0,1fr)] gap-2 rounded-xl bg-sunken px-3.5 py-2.5">
          <Attachments images={prompt.images} />
          {prompt.text !== '' && <PromptText text={prompt.text} />}
        </div>
      </div>
    );
  }
  return (
    <Form
      className="grid gap-2 rounded-xl border bg-panel p-3"
      onSend={() => {
        setEditing(null);
        onSend?.(editing);
      }}
    >
      <Attachments
        images={editing.images}
        onRemove={(index) =>
          setEditing({ ...editing, images: editing.images.filter((_, at) => at !== index) })
        }
      />
      <TextArea
        aria-label="Edited message"
        ref={focusOn}
        value={editing.text}
        className="max-h-80 [field-sizing:content]"
        onChange={(event) => setEditing({ ...editing, text: event.target.value })}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto text-xs text-muted">
          This replaces the message and everything after it.
        </p>
        <Button size="small" onClick={() => setEditing(null)}>
          Cancel
        </Button>
        <Button
          size="small"
          look="primary"
          type="submit"
          disabled={onSend === null || isEmpty(editing)}
        >
          Send again
        </Button>
      </div>
    </Form>
  );
}
